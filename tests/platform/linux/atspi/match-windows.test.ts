import { describe, expect, test } from "bun:test";
import { matchWindows } from "../../../../src/platform/linux/atspi/match-windows.ts";
import type { RawNode } from "../../../../src/platform/linux/atspi/nodes.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import type { XWindow } from "../../../../src/platform/linux/x11/windows.ts";
import { makeWindow } from "../../../fixtures/elements.ts";

const noShadow = { left: 0, right: 0, top: 0, bottom: 0 };
type Box = readonly [number, number, number, number];

function makeFrame(name: string, [x, y, width, height]: Box): RawNode {
  return {
    path: `/${x},${y},${width}`,
    parentPath: "/",
    indexInParent: 0,
    childCount: 1,
    interfaces: [],
    name,
    role: 0,
    description: "",
    states: [0, 0],
    children: [],
    details: { extents: [x, y, width, height] },
  };
}

function windowAt(id: number, title: string, [x, y, width, height]: Box): XWindow {
  const bounds = { x, y, width, height };
  return { ...makeWindow({ id, title, bounds }), content: bounds, shadow: noShadow };
}

describe("windows of one title", () => {
  const boxes: Box[] = [
    [60, 150, 600, 500],
    [1500, 150, 600, 500],
    [1500, 700, 600, 500],
  ];
  const windows = boxes.map((box, index) => windowAt(index, "Twin", box));

  test.each([1, 1.5, 2])("at scale %p are distinguished by position", (scale) => {
    const halve = (box: Box): Box => [box[0] / scale, box[1] / scale, box[2] / scale, box[3] / scale];
    const frames = boxes.map((box) => makeFrame("Twin", halve(box))).reverse();
    const matches = matchWindows(frames, windows, quirksOf("Qt"));
    expect(matches.map(({ window, frame }) => [window.id, frame.path])).toEqual([
      [0, frames[2]?.path ?? ""],
      [1, frames[1]?.path ?? ""],
      [2, frames[0]?.path ?? ""],
    ]);
  });

  test("are distinguished by size if the toolkit does not know their positions", () => {
    const sized = [windowAt(0, "Twin", [5, 5, 800, 400]), windowAt(1, "Twin", [900, 5, 610, 520])];
    const frames = [makeFrame("Twin", [0, 0, 305, 260]), makeFrame("Twin", [0, 0, 400, 200])];
    const matches = matchWindows(frames, sized, quirksOf("GTK"));
    expect(matches.map(({ window, frame }) => [window.id, frame.path])).toEqual([
      [0, frames[1]?.path ?? ""],
      [1, frames[0]?.path ?? ""],
    ]);
  });
});
