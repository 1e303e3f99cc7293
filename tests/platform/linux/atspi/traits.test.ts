import { expect, test } from "bun:test";
import { buildElement } from "../../../../src/platform/linux/atspi/build.ts";
import type { RawNode } from "../../../../src/platform/linux/atspi/nodes.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const screen = { x: 0, y: 0, width: 1000, height: 800 };

function build(toolkit: string, node: RawNode) {
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
      includeHidden: false,
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

test("what is no button of GTK 4 does not act late", () => {
  expect(build("GTK", makeNode("entry")).traits?.has("action-comes-late") ?? false).toBe(false);
});
