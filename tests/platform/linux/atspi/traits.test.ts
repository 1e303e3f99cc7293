import { expect, test } from "bun:test";
import { flatten } from "../../../../src/model/element.ts";
import { hasTrait } from "../../../../src/model/trait.ts";
import { buildElement } from "../../../../src/platform/linux/atspi/build.ts";
import type { RawNode } from "../../../../src/platform/linux/atspi/nodes.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const screen = { x: 0, y: 0, width: 1000, height: 800 };

function build(toolkit: string, node: RawNode, includeHidden = false) {
  return buildElement(
    node,
    {
      quirks: quirksOf(toolkit),
      project: ([x, y, width, height]) => ({ x, y, width, height }),
      visible: screen,
      screen,
      popups: [],
      isInPopup: false,
      covered: new Set<string>(),
      includeHidden,
      scrub: (text) => text,
      runtimePrefix: "life",
    },
    true,
    { index: 0, count: 1 },
  );
}

test("a button of GTK 4 acts late, is on where it is pressed, and has the position that a glimpse of it would tell", () => {
  const button = makeNode("push button", { name: "Go", details: { extents: [16, 288, 55, 40] } });
  const [gtk4, gtk3] = [build("GTK", button), build("gtk", button)];
  expect(gtk4.traits?.has("pressed-means-on")).toBe(true);
  expect([gtk4.traits?.has("action-comes-late"), gtk4.place]).toEqual([true, "16 288 55 40"]);
  expect([gtk3.traits?.has("action-comes-late"), gtk3.place]).toEqual([false, undefined]);
});

test("in GTK 3, what is not visible is switched off with all that is in it; what is closed or in another tab is not", () => {
  const hidden = (role: string, name: string, ...children: RawNode[]) =>
    makeNode(role, { name, states: ["enabled", "sensitive"], children });
  const inside = (name: string) => makeNode("push button", { name, states: ["enabled", "sensitive", "visible"] });
  const frame = makeNode("frame", {
    children: [
      hidden("tool bar", "bar", inside("Save")),
      makeNode("page tab", { name: "tab", states: ["enabled", "visible"], children: [inside("In a tab")] }),
      makeNode("menu", {
        name: "File",
        children: [hidden("menu item", "Late"), hidden("menu", "More", inside("Deep"))],
      }),
      hidden("panel", "popover", inside("In a popover")),
      makeNode("filler", { children: [hidden("push button", "Next")] }),
    ],
  });
  const listOff = (toolkit: string) =>
    flatten([build(toolkit, frame, true)])
      .filter((one) => hasTrait(one, "switched-off"))
      .map(({ name }) => name);
  expect(listOff("gtk")).toEqual(["bar", "Save", "Next"]);
  expect(listOff("Qt")).toEqual([]);
});

test("what is no button of GTK 4 does not act late", () => {
  expect(build("GTK", makeNode("entry")).traits?.has("action-comes-late") ?? false).toBe(false);
});
