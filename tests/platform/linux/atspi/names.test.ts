import { describe, expect, test } from "bun:test";
import { nameOf, ownNameOf } from "../../../../src/platform/linux/atspi/names.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const gtk3 = quirksOf("gtk");
const gtk4 = quirksOf("GTK");
const swing = quirksOf("J2SE-access-bridge");

describe("a meaningless name", () => {
  test.each([
    ["push button", "GtkMenuButton", gtk4],
    ["page tab list", "Tab list", gtk4],
    ["icon", "view-refresh-symbolic", gtk3],
  ] as const)("of a %s called %p is left out", (role, name, quirks) => {
    expect(ownNameOf(makeNode(role, { name }), quirks)).toBe("");
  });

  test("is the class of an application's own GTK 4 field", () => {
    expect(ownNameOf(makeNode("text", { name: "MyTextView", states: ["editable", "visible"] }), gtk4)).toBe("");
  });

  test.each([
    ["push button", "GitHub", gtk4],
    ["icon", "symbolic", gtk3],
    ["push button", "GtkMenuButton", gtk3],
  ] as const)("is not taken for one: a %s called %p", (role, name, quirks) => {
    expect(ownNameOf(makeNode(role, { name }), quirks)).toBe(name);
  });

  test("is a combo box's choice in GTK 3 and Swing, and a chosen tab's name in Swing", () => {
    const combo = makeNode("combo box", { name: "Left", details: { choice: "Left" } });
    expect([ownNameOf(combo, gtk3), ownNameOf(combo, swing)]).toEqual(["", ""]);
    const named = makeNode("combo box", { name: "Side", details: { choice: "Left" } });
    expect(ownNameOf(named, gtk3)).toBe("Side");
    const tabs = makeNode("page tab list", { name: "Fields", children: [makeNode("page tab", { name: "Fields" })] });
    expect(ownNameOf(tabs, swing)).toBe("");
  });

  test("is the title of a GTK 4 stack page, which has no place", () => {
    expect(ownNameOf(makeNode("panel", { name: "Page _1", interfaces: [] }), gtk4)).toBe("");
    expect(ownNameOf(makeNode("panel", { name: "Advanced" }), gtk4)).toBe("Advanced");
  });
});

describe("a GTK 4 name", () => {
  test.each([
    ["Save Save", "Save", "Save"],
    ["_Save Save", "Save", "Save"],
    ["S_ave as Save as", "Save as", "Save as"],
    ["Save all", "all", "Save all"],
  ])("of %p around a label %p is %p", (name, label, expected) => {
    const button = makeNode("push button", { name, children: [makeNode("label", { name: label })] });
    expect(nameOf(button, "button", gtk4)).toBe(expected);
  });

  test("of a tab is its content, and of a tab in GTK 3 its own", () => {
    const tab = makeNode("page tab", { name: "Tab", children: [makeNode("label", { name: "Sunset" })] });
    expect(nameOf(tab, "tab", gtk4)).toBe("Sunset");
    expect(nameOf(tab, "tab", gtk3)).toBe("Tab");
  });

  test("consists of visible text: not of a zero-size label, nor of a popover", () => {
    const lock = makeNode("push button", {
      name: "GtkLockButton",
      children: [
        makeNode("label", { name: "Lock", details: { extents: [0, 0, 45, 16] } }),
        makeNode("label", { name: "Unlock", details: { extents: [0, 0, 0, 0] } }),
        makeNode("filler", { name: "GtkPopover", children: [makeNode("label", { name: "Title" })] }),
      ],
    });
    expect(nameOf(lock, "button", gtk4)).toBe("Lock");
  });
});

test("a number is not a slider's name, but words are", () => {
  expect(nameOf(makeNode("slider", { description: "50.0" }), "slider", gtk3)).toBe("");
  expect(nameOf(makeNode("slider", { description: "Turns volume up" }), "slider", gtk3)).toBe("Turns volume up");
});
