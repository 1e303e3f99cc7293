import { describe, expect, test } from "bun:test";
import { readActions } from "../../../../src/platform/linux/atspi/actions.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { refineRole } from "../../../../src/platform/linux/atspi/refine-role.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

// What the applications really reported, and what a person sees.

const gtk3 = quirksOf("gtk");
const gtk4 = quirksOf("GTK");
const swing = quirksOf("J2SE-access-bridge");
const gecko = quirksOf("Gecko");
const shown = ["enabled", "showing", "visible"] as const;

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("a button called %p is a button", (name) => {
  for (const quirks of [gtk3, gtk4, swing, gecko]) {
    expect(refineRole(makeNode("push button", { name }), quirks, false)).toBe("button");
    expect(
      readActions(makeNode("push button", { details: { actions: [[name, "", ""]] } }), "button", new Set(), quirks),
    ).toEqual([]);
  }
});

describe("in GTK 3", () => {
  test("a toggle button is a switch when it shows no image, holds no value and opens nothing", () => {
    const roleWith = (interfaces: string[], states: readonly ("expandable" | "showing")[] = ["showing"]): string => {
      return refineRole(makeNode("toggle button", { interfaces, states }), gtk3, false);
    };
    expect(roleWith(["Action", "Component"])).toBe("switch");
    expect(roleWith(["Action", "Component", "Image"])).toBe("toggle");
    // LibreOffice's tool buttons.
    expect(roleWith(["Action", "Component", "Value"])).toBe("toggle");
    // An expander.
    expect(roleWith(["Action", "Component"], ["showing", "expandable"])).toBe("toggle");
  });

  test("a button with a link in it is a link; in Firefox everything within a text has one", () => {
    const button = makeNode("push button", { interfaces: ["Action", "Component", "Hyperlink", "Image"] });
    expect(refineRole(button, gtk3, false)).toBe("link");
    expect(refineRole(button, gecko, false)).toBe("button");
  });

  test("a picture is an image, unless it can be pressed or selected", () => {
    expect(refineRole(makeNode("icon", { interfaces: ["Component", "Image"] }), gtk3, false)).toBe("image");
    const pressed = makeNode("icon", { details: { actions: [["activate", "", ""]] } });
    expect(refineRole(pressed, gtk3, false)).toBe("icon");
    expect(refineRole(makeNode("icon", { states: [...shown, "selectable"] }), gtk3, false)).toBe("icon");
  });

  test("a part of the colour chooser with a value is a slider", () => {
    expect(refineRole(makeNode("color chooser", { interfaces: ["Component", "Value"] }), gtk3, false)).toBe("slider");
    expect(refineRole(makeNode("color chooser"), gtk3, false)).toBe("color");
  });

  test("the tab of a single page, which is not drawn, is a box", () => {
    expect(refineRole(makeNode("page tab", { details: { extents: [-1, -1, -1, -1] } }), gtk3, false)).toBe("group");
    const drawn = makeNode("page tab", { name: "One", details: { extents: [-1, -1, -1, -1] } });
    expect(refineRole(drawn, gtk3, false)).toBe("tab");
  });
});

describe("in GTK 4", () => {
  test.each([
    ["check box", "GtkSwitch", "switch"],
    ["push button", "GtkToggleButton", "toggle"],
    ["filler", "GtkPopover", "dialog"],
    ["filler", "GtkCalendar", "calendar"],
    ["filler", "GtkTreeView", "table"],
    ["label", "GtkSwitch", "text"],
    ["check box", "Remember me", "checkbox"],
  ] as const)("a %s that is called %p is a %s", (role, name, meant) => {
    expect(refineRole(makeNode(role, { name }), gtk4, false)).toBe(meant);
  });
});

test("a GTK 4 box around a cell's picture is an option, if it is focusable", () => {
  const children = [makeNode("filler", { name: "GtkCellView" })];
  const states = ["visible", "focusable"] as const;
  expect(refineRole(makeNode("filler", { name: "GtkGizmo", states, children }), gtk4, false)).toBe("option");
  expect(refineRole(makeNode("panel", { children }), gtk4, false)).toBe("group");
});

test("an application's own editable GTK 4 widget is a field", () => {
  const interfaces = ["Component", "EditableText", "Text"];
  expect(refineRole(makeNode("filler", { name: "SuggestionEntry", interfaces }), gtk4, false)).toBe("input");
});

describe("in Swing", () => {
  test("the labels in lists, tables and trees are the selectable items", () => {
    const list = makeNode("list");
    expect(refineRole(makeNode("label", { interfaces: ["Action", "Component"] }), swing, false, list)).toBe("option");
    expect(refineRole(makeNode("label", { interfaces: ["Component", "TableCell"] }), swing, false)).toBe("cell");
    expect(refineRole(makeNode("label", { interfaces: ["Action", "Selection"] }), swing, false)).toBe("treeitem");
    expect(refineRole(makeNode("label", { details: { extents: [10, 10, 90, 0] } }), swing, false)).toBe("header");
    expect(refineRole(makeNode("label", { details: { extents: [10, 10, 90, 20] } }), swing, false)).toBe("text");
    expect(refineRole(makeNode("label"), gtk3, false, list)).toBe("text");
  });

  test("a check box in a menu is a menu item", () => {
    expect(refineRole(makeNode("check box"), swing, false, makeNode("menu"))).toBe("menuitem");
  });
});
