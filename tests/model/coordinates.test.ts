import { describe, expect, test } from "bun:test";
import type { Bounds, Point } from "../../src/model/bounds.ts";
import {
  frameBoundsToScreen,
  frameToScreen,
  fromLocal,
  pageBoundsToScreen,
  pageToScreen,
  screenBoundsToFrame,
  screenBoundsToPage,
  screenToFrame,
  screenToPage,
  toLocal,
} from "../../src/model/coordinates.ts";
import { fc } from "../property.ts";

const scaleFactors = [1, 1.25, 1.5, 2] as const;
const anyFactor = fc.constantFrom(...scaleFactors);
const anyPoint = fc.record({ x: fc.integer({ min: -9000, max: 9000 }), y: fc.integer({ min: -9000, max: 9000 }) });
const anyBounds = fc
  .tuple(anyPoint, fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 3000 }))
  .map(([point, width, height]) => ({ ...point, width, height }));
/** Scales that a screenshot may be requested at, and the inverse of page scales. */
const downScale = fc.oneof(
  fc.constantFrom(1, 0.8, 0.75, 2 / 3, 0.5, 0.1),
  fc.integer({ min: 10, max: 100 }).map((hundredths) => hundredths / 100),
);
const upScale = fc.constantFrom(1, 1.25, 1.5, 2, 3);

function distance(one: Point, other: Point): number {
  return Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
}

function edgesOf({ x, y, width, height }: Bounds): readonly number[] {
  return [x, y, x + width, y + height];
}

describe("from the screen to a window or a monitor and back", () => {
  test("is the same place, wherever the window is, and keeps sizes", () => {
    fc.assert(
      fc.property(anyBounds, anyBounds, (bounds, window) => {
        expect(fromLocal(toLocal(bounds, window), window)).toEqual(bounds);
        expect(toLocal(window, window)).toEqual({ ...window, x: 0, y: 0 });
      }),
    );
  });
});

describe("a pixel of a frame", () => {
  test("is the same pixel after conversion to the screen and back, at every scale that pictures have", () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, downScale, (origin, point, scale) => {
        expect(screenToFrame(frameToScreen(point, { origin, scale }), { origin, scale })).toEqual(point);
      }),
    );
  });

  test("covers a square of the screen, and converts into that square", () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, downScale, (origin, point, scale) => {
        const { x, y } = toLocal(frameToScreen(point, { origin, scale }), origin);
        expect(x + 1).toBeGreaterThan(point.x / scale - 1e-3);
        expect(x).toBeLessThan((point.x + 1) / scale + 1e-3);
        expect(y + 1).toBeGreaterThan(point.y / scale - 1e-3);
        expect(y).toBeLessThan((point.y + 1) / scale + 1e-3);
      }),
    );
  });

  test("from one point of the screen converts back to it if the frame is as fine as the screen", () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, upScale, (origin, point, scale) => {
        expect(frameToScreen(screenToFrame(point, { origin, scale }), { origin, scale })).toEqual(point);
      }),
    );
  });

  test("from one point of the screen converts back to less than a pixel of the frame from it if the frame is coarser", () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, downScale, (origin, point, scale) => {
        const back = frameToScreen(screenToFrame(point, { origin, scale }), { origin, scale });
        expect(distance(back, point)).toBeLessThan(1 / scale + 1e-3);
      }),
    );
  });
});

describe("bounds in a frame", () => {
  test("have their edges within half a pixel of the exact place, and never vanish", () => {
    fc.assert(
      fc.property(anyPoint, anyBounds, downScale, (origin, bounds, scale) => {
        const framed = screenBoundsToFrame(bounds, { origin, scale });
        expect(framed.width >= 1 && framed.height >= 1).toBe(true);
        const exact = edgesOf(toLocal(bounds, origin)).map((edge) => edge * scale);
        const isThin = Math.min(bounds.width, bounds.height) * scale < 1;
        const reach = isThin ? 1 : 0.5;
        edgesOf(framed).forEach((edge, at) => {
          expect(Math.abs(edge - (exact[at] ?? 0))).toBeLessThan(reach + 1e-3);
        });
      }),
    );
  });

  test("are unchanged if the frame is as fine as the screen", () => {
    fc.assert(
      fc.property(anyPoint, anyBounds, upScale, (origin, bounds, scale) => {
        expect(frameBoundsToScreen(screenBoundsToFrame(bounds, { origin, scale }), { origin, scale })).toEqual(bounds);
      }),
    );
  });
});

describe("a page or an overlay with its own scale", () => {
  test("preserves every pixel and all bounds of the screen at 1, 1.25, 1.5 and 2", () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, anyBounds, anyFactor, (origin, point, bounds, scaleFactor) => {
        const page = { origin, scaleFactor };
        expect(pageToScreen(screenToPage(point, page), page)).toEqual(point);
        expect(pageBoundsToScreen(screenBoundsToPage(bounds, page), page)).toEqual(bounds);
      }),
    );
  });

  test("maps a fraction of its pixel to the pixel of the screen that contains it", () => {
    const page = { origin: { x: -1920, y: 40 }, scaleFactor: 2 };
    expect(pageToScreen({ x: 10, y: 10 }, page)).toEqual({ x: -1900, y: 60 });
    expect(pageToScreen({ x: 10.49, y: 10.5 }, page)).toEqual({ x: -1900, y: 61 });
    expect(pageToScreen({ x: 0, y: 0 }, { origin: { x: 0, y: 0 }, scaleFactor: 1.25 })).toEqual({ x: 0, y: 0 });
    expect(pageToScreen({ x: 0.8, y: 1.6 }, { origin: { x: 0, y: 0 }, scaleFactor: 1.25 })).toEqual({ x: 1, y: 2 });
  });
});
