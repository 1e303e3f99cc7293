import { describe, expect, test } from "bun:test";
import { projectOnto } from "../../../../src/platform/linux/atspi/geometry.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import type { XWindow } from "../../../../src/platform/linux/x11/windows.ts";
import { makeWindow } from "../../../fixtures/elements.ts";
import { fc } from "../../../property.ts";

const noShadow = { left: 0, right: 0, top: 0, bottom: 0 };
type Extents = readonly [number, number, number, number];

function windowAt(x: number, y: number, width: number, height: number, shadow = noShadow): XWindow {
  const bounds = { x, y, width, height };
  return { ...makeWindow({ bounds }), content: bounds, shadow };
}

const scales = [1, 1.25, 1.5, 2];
const logical = fc.record({
  x: fc.integer({ min: 0, max: 500 }),
  y: fc.integer({ min: 0, max: 400 }),
  width: fc.integer({ min: 1, max: 300 }),
  height: fc.integer({ min: 1, max: 200 }),
});

describe.each(scales)("at scale %p", (scale) => {
  test("screen coordinates of a toolkit are projected onto the pixels of its window", () => {
    fc.assert(
      fc.property(logical, fc.integer({ min: -800, max: 800 }), (box, left) => {
        const window = windowAt(left * scale, 40 * scale, 800 * scale, 600 * scale);
        const project = projectOnto(window, [left, 40, 800, 600], quirksOf("Qt"));
        const seen = project([left + box.x, 40 + box.y, box.width, box.height]);
        expect(seen.x).toBe(Math.round((left + box.x) * scale));
        expect(seen.y).toBe(Math.round((40 + box.y) * scale));
        expect(Math.abs(seen.width - box.width * scale)).toBeLessThanOrEqual(0.5);
        expect(Math.abs(seen.height - box.height * scale)).toBeLessThanOrEqual(0.5);
      }),
    );
  });

  test("the frame itself covers its window", () => {
    const window = windowAt(200, 100, 800 * scale, 600 * scale);
    const frame: Extents = [200 / scale, 100 / scale, 800, 600];
    expect(projectOnto(window, [...frame], quirksOf("Qt"))([...frame])).toEqual({
      x: 200,
      y: 100,
      width: 800 * scale,
      height: 600 * scale,
    });
  });
});

// GTK 4 supports integer scales only.
describe.each([1, 2, 3])("at scale %p a toolkit that counts from the window", (scale) => {
  test("is projected with the offset of its shadow", () => {
    fc.assert(
      fc.property(logical, (box) => {
        const shadow = { left: 26, right: 26, top: 23, bottom: 29 };
        const window = windowAt(100, 50, 800 * scale + 52, 600 * scale + 52, shadow);
        const project = projectOnto(window, [0, 0, 800, 600], quirksOf("GTK"));
        const seen = project([box.x, box.y, box.width, box.height]);
        expect(seen.x).toBe(Math.round(126 + box.x * scale));
        expect(seen.y).toBe(Math.round(73 + box.y * scale));
      }),
    );
  });
});

test("GTK 3 at scale 2 includes the window manager's frame in its window", () => {
  // As read from a window of 610 × 502 pixels at 332,137, with a frame of 1 pixel and a title bar of 20.
  const content = { x: 332, y: 137, width: 610, height: 502 };
  const bounds = { x: 331, y: 117, width: 612, height: 527 };
  const project = projectOnto(
    { ...makeWindow({ bounds }), content, shadow: noShadow },
    [165, 58, 307, 264],
    quirksOf("gtk"),
  );
  const { x, y, width, height } = project([421, 195, 50, 34]);
  expect([width, height]).toEqual([100, 68]);
  expect(Math.abs(x - 842)).toBeLessThanOrEqual(2);
  expect(Math.abs(y - 391)).toBeLessThanOrEqual(2);
});

test("Chromium reports its own controls in scaled units, and pages in pixels", () => {
  const project = projectOnto(windowAt(231, 117, 1200, 800), [115, 58, 600, 400], quirksOf("Chromium"));
  expect(project([119, 201, 592, 253])).toEqual({ x: 239, y: 403, width: 1184, height: 506 });
  expect(project.inPage?.([238, 402, 1184, 506])).toEqual({ x: 239, y: 403, width: 1184, height: 506 });
});

test("an unusual scale is measured from the sizes", () => {
  const project = projectOnto(windowAt(140, 70, 1120, 840), [100, 50, 800, 600], quirksOf("Qt"));
  expect(project([300, 250, 100, 50])).toEqual({ x: 420, y: 350, width: 140, height: 70 });
});

test("without a frame to compare with, extents are used unchanged", () => {
  const window = windowAt(10, 10, 100, 100);
  expect(projectOnto(window, undefined, quirksOf("gtk"))([1, 2, 3, 4])).toEqual({ x: 1, y: 2, width: 3, height: 4 });
  expect(projectOnto(window, [0, 0, 0, 0], quirksOf("GTK"))([1, 2, 3, 4])).toEqual({ x: 1, y: 2, width: 3, height: 4 });
});

test("a frame that is some pixels wider than its window does not count as a scale", () => {
  const window = windowAt(100, 100, 800, 600);
  expect(projectOnto(window, [98, 80, 804, 622], quirksOf("gtk"))([150, 160, 20, 10])).toEqual({
    x: 150,
    y: 160,
    width: 20,
    height: 10,
  });
});
