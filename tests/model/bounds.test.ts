import { describe, expect, test } from "bun:test";
import { type Bounds, centreOf, clickPointOf, containsPoint, intersect, parseBounds } from "../../src/model/bounds.ts";
import { anyBounds } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

function isWithin(inner: Bounds, outer: Bounds): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

describe("the intersection of two rectangles", () => {
  test("is commutative, and lies in both", () => {
    fc.assert(
      fc.property(anyBounds, anyBounds, (a, b) => {
        const shared = intersect(a, b);
        expect(intersect(b, a)).toEqual(shared as Bounds);
        if (shared === undefined) return;
        expect(isWithin(shared, a) && isWithin(shared, b)).toBe(true);
        expect(shared.width > 0 && shared.height > 0).toBe(true);
      }),
    );
  });

  test("contains exactly the points that both contain", () => {
    const near = fc.record({ x: fc.integer({ min: -3, max: 12 }), y: fc.integer({ min: -3, max: 12 }) });
    const small = fc.record({
      x: fc.integer({ min: -2, max: 5 }),
      y: fc.integer({ min: -2, max: 5 }),
      width: fc.integer({ min: 1, max: 6 }),
      height: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(small, small, near, (a, b, point) => {
        const shared = intersect(a, b);
        const isShared = shared !== undefined && containsPoint(shared, point);
        expect(isShared).toBe(containsPoint(a, point) && containsPoint(b, point));
      }),
    );
  });

  test("of a rectangle with itself is that rectangle", () => {
    fc.assert(fc.property(anyBounds, (a) => expect(intersect(a, a)).toEqual(a)));
  });

  test("is empty for rectangles that only touch", () => {
    const left = { x: 0, y: 0, width: 10, height: 10 };
    expect(intersect(left, { ...left, x: 10 })).toBeUndefined();
    expect(intersect(left, { ...left, y: -10 })).toBeUndefined();
  });
});

test("the click point lies inside the control and inside the visible part, or there is none", () => {
  fc.assert(
    fc.property(anyBounds, anyBounds, (bounds, visible) => {
      const point = clickPointOf(bounds, visible);
      expect(point === undefined).toBe(intersect(bounds, visible) === undefined);
      if (point === undefined) return;
      expect(containsPoint(bounds, point) && containsPoint(visible, point)).toBe(true);
      expect(Number.isInteger(point.x) && Number.isInteger(point.y)).toBe(true);
    }),
  );
});

test("the centre of a rectangle lies inside it, even of one pixel", () => {
  fc.assert(fc.property(anyBounds, (bounds) => expect(containsPoint(bounds, centreOf(bounds))).toBe(true)));
  expect(centreOf({ x: -5, y: 3, width: 1, height: 1 })).toEqual({ x: -5, y: 3 });
});

describe("a box as people write it", () => {
  test("is parsed correctly, with or without spaces", () => {
    fc.assert(
      fc.property(anyBounds, ({ x, y, width, height }) => {
        expect(parseBounds(`${x},${y},${width},${height}`)).toEqual({ x, y, width, height });
        expect(parseBounds(` ${x}, ${y} ,${width}, ${height} `)).toEqual({ x, y, width, height });
      }),
    );
  });

  test.each([
    "",
    "1,2,3",
    "1,2,3,4,5",
    "1,2,0,4",
    "1,2,3,-4",
    "a,b,c,d",
    "1.5,2,3,4",
    "1e2,2,3,4",
    "0x10,2,3,4",
    "1,2,3,",
    "1;2;3;4",
    "1,2,3,99999999999",
    "Infinity,2,3,4",
    "+1,2,3,4",
  ])("is refused when it is %p", (text) => {
    expect(parseBounds(text)).toBeUndefined();
  });

  test("is rejected or parsed, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const bounds = parseBounds(text);
        if (bounds !== undefined) expect(bounds.width > 0 && bounds.height > 0).toBe(true);
      }),
    );
  });
});
