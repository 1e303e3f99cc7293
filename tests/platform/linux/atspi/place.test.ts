import { describe, expect, test } from "bun:test";
import type { Projection } from "../../../../src/platform/linux/atspi/geometry.ts";
import type { Extents } from "../../../../src/platform/linux/atspi/peer.ts";
import {
  type BuildContext,
  bridgeGap,
  extentsOf,
  isCollapsed,
  projectBeside,
  projectOntoOffset,
} from "../../../../src/platform/linux/atspi/place.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const asIs: Projection = ([x, y, width, height]) => ({ x, y, width, height });

function inside(parent: ReturnType<typeof makeNode>, toolkit: string): BuildContext {
  const screen = { x: 0, y: 0, width: 1400, height: 1000 };
  return {
    quirks: quirksOf(toolkit),
    project: asIs,
    visible: screen,
    screen,
    popups: [],
    isInPopup: false,
    covered: new Set(),
    includeHidden: false,
    scrub: (text) => text,
    runtimePrefix: "",
    parent,
  };
}

const placed = (role: string, ...extents: Extents): ReturnType<typeof makeNode> =>
  makeNode(role, { details: { extents } });

describe("LibreOffice's root pane, which it measures without the menu bar above,", () => {
  const box = placed("panel", 0, 44, 1400, 956);
  const pane = placed("root pane", 0, 19, 1400, 956);
  const within = bridgeGap(pane, inside(box, "gtk"));

  test("is at the GTK box that it fills, with everything in it", () => {
    expect(within.project([4, 21, 44, 35])).toEqual({ x: 4, y: 46, width: 44, height: 35 });
  });

  test("contains GTK widgets, which are measured correctly", () => {
    const own = placed("panel", 4, 60, 189, 34);
    const gtk = placed("panel", 4, 85, 189, 34);
    expect(bridgeGap(own, { ...within, parent: pane }).project([4, 60, 189, 34]).y).toBe(85);
    expect(bridgeGap(gtk, { ...within, parent: own }).project([4, 85, 153, 34]).y).toBe(85);
  });

  test("is not moved if it does not fill its box", () => {
    const context = inside(box, "gtk");
    expect(bridgeGap(placed("root pane", 0, 19, 700, 956), context)).toBe(context);
    expect(bridgeGap(placed("panel", 0, 19, 1400, 956), context)).toBe(context);
  });
});

describe("Swing", () => {
  test("shows an open menu below its opener in a menu bar, and beside it in a menu", () => {
    const menu = placed("menu", 121, 100, 37, 19);
    const entries: Extents = [122, 103, 139, 19];
    const bounds = { x: 121, y: 100, width: 37, height: 19 };
    const inBar = projectBeside(menu, inside(makeNode("menu bar"), "J2SE-access-bridge"), bounds);
    expect(inBar(entries)).toEqual({ x: 122, y: 122, width: 139, height: 19 });
    const inMenu = projectBeside(menu, inside(makeNode("menu"), "J2SE-access-bridge"), bounds);
    expect(inMenu(entries)).toEqual({ x: 159, y: 103, width: 139, height: 19 });
    // The list of a combo box reports its real position.
    expect(projectBeside(placed("popup menu", 1, 1, 9, 9), inside(menu, "J2SE-access-bridge"), bounds)).toBe(asIs);
  });

  test("reports column headers without height: they have that of their row", () => {
    const row = placed("panel", 444, 146, 309, 19);
    const title = placed("label", 444, 146, 155, 0);
    expect(extentsOf(title, quirksOf("J2SE-access-bridge"), row)).toEqual([444, 146, 155, 19]);
    expect(extentsOf(title, quirksOf("gtk"), row)).toEqual([444, 146, 155, 0]);
  });
});

describe("the list of a GTK 4 drop-down, which is moved away from its opener,", () => {
  const list: Extents = [20, 57, 165, 152];

  test("is at the lower end of its window when it opens downwards, and at the upper end when it opens upwards", () => {
    const below = projectOntoOffset(list, asIs, [{ x: 513, y: 433, width: 165, height: 158 }]);
    expect(below?.(list)).toEqual({ x: 513, y: 439, width: 165, height: 152 });
    const above = projectOntoOffset(list, asIs, [{ x: 513, y: -120, width: 165, height: 158 }]);
    expect(above?.(list)).toEqual({ x: 513, y: -120, width: 165, height: 152 });
  });

  test("is no window of another size", () => {
    expect(projectOntoOffset(list, asIs, [{ x: 513, y: 433, width: 165, height: 300 }])).toBeUndefined();
    expect(projectOntoOffset(list, asIs, [{ x: 513, y: 433, width: 166, height: 158 }])).toBeUndefined();
  });
});

test("a zero-size element hides its content: anything in GTK 4, elsewhere a menu bar of no height", () => {
  expect(isCollapsed(quirksOf("GTK"), "group", [10, 56, 0, 0])).toBe(true);
  expect(isCollapsed(quirksOf("gtk"), "group", [10, 56, 0, 0])).toBe(false);
  expect(isCollapsed(quirksOf("gtk"), "menubar", [0, 19, 1400, 0])).toBe(true);
  expect(isCollapsed(quirksOf("gtk"), "menubar", [0, 19, 1400, 25])).toBe(false);
  expect(isCollapsed(quirksOf("GTK"), "group", undefined)).toBe(false);
});
