import { describe, expect, test } from "bun:test";
import { type Hints, matchWindows } from "../../../../src/platform/linux/atspi/match-windows.ts";
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
    const { matches } = matchWindows(frames, windows, quirksOf("Qt"));
    expect(matches.map(({ window, frame }) => [window.id, frame.path])).toEqual([
      [0, frames[2]?.path ?? ""],
      [1, frames[1]?.path ?? ""],
      [2, frames[0]?.path ?? ""],
    ]);
  });

  test("are distinguished by size if the toolkit does not know their positions", () => {
    const sized = [windowAt(0, "Twin", [5, 5, 800, 400]), windowAt(1, "Twin", [900, 5, 610, 520])];
    const frames = [makeFrame("Twin", [0, 0, 305, 260]), makeFrame("Twin", [0, 0, 400, 200])];
    const { matches } = matchWindows(frames, sized, quirksOf("GTK"));
    expect(matches.map(({ window, frame }) => [window.id, frame.path])).toEqual([
      [0, frames[1]?.path ?? ""],
      [1, frames[0]?.path ?? ""],
    ]);
  });

  describe("that look the same", () => {
    const box: Box = [0, 0, 600, 500];
    const frames = ["a", "b", "c"].map((path) => ({ ...makeFrame("Twin", box), path }));
    const alike = boxes.map((at, index) => windowAt(index, "Twin", at));
    const match = (count: number, hints?: Hints): readonly unknown[] => {
      const { matches, undecided } = matchWindows(
        frames.slice(0, count),
        alike.slice(0, count),
        quirksOf("GTK"),
        hints,
      );
      const pairs = matches.map(({ window, frame }) => `${window.id}${frame.path}`).sort();
      return [pairs, undecided.map(({ id }) => id), matches.flatMap(({ popups }) => popups)];
    };

    test("are not guessed, and none is a pop-up of another", () => {
      expect(match(1)).toEqual([["0a"], [], []]);
      expect(match(2)).toEqual([[], [0, 1], []]);
    });

    test("are distinguished by the focus; two of them both", () => {
      expect(match(2, { focus: { window: 0, frame: "b" } })).toEqual([["0b", "1a"], [], []]);
      expect(match(3, { focus: { window: 0, frame: "b" } })).toEqual([["0b"], [1, 2], []]);
    });

    test("are remembered, and what remains is decided by the focus", () => {
      expect(match(2, { known: new Map([["b", 0]]) })).toEqual([["0b", "1a"], [], []]);
      const known = new Map([["b", 0]]);
      expect(match(3, { known, focus: { window: 2, frame: "a" } })).toEqual([["0b", "1c", "2a"], [], []]);
    });

    test("with one frame for two windows, are told by the focus alone", () => {
      const [frame] = frames;
      if (frame === undefined) throw new Error("no frame");
      const two = alike.slice(0, 2);
      expect(matchWindows([frame], two, quirksOf("GTK")).undecided).toHaveLength(2);
      const { matches } = matchWindows([frame], two, quirksOf("GTK"), { focus: { window: 1, frame: "a" } });
      expect(matches.map(({ window }) => window.id)).toEqual([1]);
    });
  });

  test("are distinguished where they stand closer together than a frame may deviate", () => {
    const near: Box[] = [
      [60, 50, 600, 500],
      [84, 74, 600, 500],
    ];
    const frames = near.map((box) => makeFrame("Twin", box)).reverse();
    const { matches } = matchWindows(
      frames,
      near.map((box, index) => windowAt(index, "Twin", box)),
      quirksOf("Qt"),
    );
    expect(matches.map(({ window, frame }) => [window.id, frame.path])).toEqual([
      [0, frames[1]?.path ?? ""],
      [1, frames[0]?.path ?? ""],
    ]);
  });
});
