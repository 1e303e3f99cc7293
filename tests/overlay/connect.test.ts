import { describe, expect, test } from "bun:test";
import type { Bounds, Point } from "../../src/model/bounds.ts";
import { findMiddle, route, routes } from "../../src/overlay/connect.ts";
import { fc } from "../property.ts";

const box = fc.record({
  x: fc.integer({ min: -3000, max: 3000 }),
  y: fc.integer({ min: -3000, max: 3000 }),
  width: fc.integer({ min: 1, max: 1500 }),
  height: fc.integer({ min: 1, max: 1500 }),
});

const everywhere = { x: -9000, y: -9000, width: 18_000, height: 18_000 };

function isOnEdge({ x, y, width, height }: Bounds, point: Point): boolean {
  const isWithin = point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
  const isAtSide = point.x === x || point.x === x + width - 1 || point.y === y || point.y === y + height - 1;
  return isWithin && isAtSide;
}

function measure(points: readonly Point[]): number {
  return points.slice(1).reduce((sum, end, at) => {
    const start = points[at] ?? end;
    return sum + Math.hypot(end.x - start.x, end.y - start.y);
  }, 0);
}

describe("a connector", () => {
  test("ends on the edges of both controls, wherever they lie", () => {
    fc.assert(
      fc.property(box, box, fc.constantFrom(...routes), (from, to, way) => {
        const points = route(from, to, way);
        const [first, last] = [points[0], points.at(-1)];
        expect(first !== undefined && isOnEdge(from, first)).toBe(true);
        expect(last !== undefined && isOnEdge(to, last)).toBe(true);
      }),
    );
  });

  test("in right angles has only right angles, and no zero-length segment", () => {
    fc.assert(
      fc.property(box, box, (from, to) => {
        const points = route(from, to, "orthogonal");
        expect(points.length).toBeGreaterThanOrEqual(2);
        for (const [at, end] of points.slice(1).entries()) {
          const start = points[at] ?? end;
          expect(Number(start.x === end.x) + Number(start.y === end.y)).toBe(1);
        }
      }),
    );
  });

  test("in right angles goes around the controls between, where there is a way", () => {
    const [left, right] = [
      { x: 0, y: 100, width: 100, height: 20 },
      { x: 300, y: 100, width: 100, height: 20 },
    ];
    const between = { x: 150, y: 90, width: 100, height: 40 };
    const around = { x: 0, y: 0, width: 500, height: 500 };
    const routePast = (...others: Bounds[]) => route(left, right, "orthogonal", { others, monitors: [around] });
    const usual = route(left, right, "orthogonal");
    expect(routePast(around)).toEqual(usual);
    const points = routePast(around, between);
    for (const [at, end] of points.slice(1).entries()) {
      const start = points[at] ?? end;
      expect(Number(start.x === end.x) + Number(start.y === end.y)).toBe(1);
      const isBeside = Math.max(start.x, end.x) <= 150 || Math.min(start.x, end.x) >= 249;
      expect(isBeside || Math.max(start.y, end.y) <= 90 || Math.min(start.y, end.y) >= 129).toBe(true);
    }
    expect(isOnEdge(left, points[0] ?? { x: -1, y: -1 }) && isOnEdge(right, points.at(-1) ?? { x: -1, y: -1 })).toBe(
      true,
    );
    expect(routePast({ x: 200, y: -10, width: 10, height: 600 })).toEqual(usual);
  });

  test("is straight where it strikes through nothing, else goes around; direct is always straight", () => {
    const [from, to] = [
      { x: 0, y: 0, width: 100, height: 20 },
      { x: 300, y: 200, width: 100, height: 20 },
    ];
    const monitors = [{ x: 0, y: 0, width: 500, height: 500 }];
    const straight = route(from, to, "direct");
    // Its corner is within the rectangle that the line spans, and the line passes it.
    const beside = { x: 220, y: 20, width: 60, height: 40 };
    expect(route(from, to, "clear", { others: [beside], monitors })).toEqual(straight);
    const between = { x: 170, y: 90, width: 60, height: 40 };
    expect(route(from, to, "direct", { others: [between], monitors })).toEqual(straight);
    const around = route(from, to, "clear", { others: [between, beside], monitors });
    expect(around.length).toBeGreaterThan(2);
    for (const [at, end] of around.slice(1).entries()) {
      const start = around[at] ?? end;
      for (const { x, y, width, height } of [between, beside]) {
        const isBeside = Math.max(start.x, end.x) <= x || Math.min(start.x, end.x) >= x + width - 1;
        expect(isBeside || Math.max(start.y, end.y) <= y || Math.min(start.y, end.y) >= y + height - 1).toBe(true);
      }
    }
    const wall = { x: 170, y: -100, width: 60, height: 900 };
    expect(route(from, to, "clear", { others: [wall], monitors })).toEqual(straight);
  });

  test("in right angles ends on both edges, whatever is between", () => {
    fc.assert(
      fc.property(box, box, fc.array(box, { maxLength: 6 }), (from, to, others) => {
        const points = route(from, to, "orthogonal", { others, monitors: [everywhere] });
        const [first, last] = [points[0], points.at(-1)];
        expect(first !== undefined && isOnEdge(from, first)).toBe(true);
        expect(last !== undefined && isOnEdge(to, last)).toBe(true);
        for (const [at, end] of points.slice(1).entries()) {
          const start = points[at] ?? end;
          expect(Number(start.x === end.x) + Number(start.y === end.y)).toBe(1);
        }
      }),
    );
  });

  test("goes straight through the gap between two controls side by side", () => {
    const [left, right] = [
      { x: 0, y: 0, width: 100, height: 20 },
      { x: 200, y: 0, width: 100, height: 20 },
    ];
    expect(route(left, right, "direct")).toEqual([
      { x: 99, y: 10 },
      { x: 200, y: 10 },
    ]);
    expect(route(right, left, "orthogonal").at(-1)).toEqual({ x: 99, y: 10 });
  });

  test("handles one control inside another, and one connected to itself", () => {
    const [outer, inner] = [
      { x: 0, y: 0, width: 400, height: 300 },
      { x: 100, y: 100, width: 50, height: 20 },
    ];
    expect(route(outer, inner, "orthogonal").length).toBeGreaterThan(3);
    expect(measure(route(outer, outer, "direct"))).toBeGreaterThan(0);
  });

  test("has its label halfway along", () => {
    fc.assert(
      fc.property(box, box, (from, to) => {
        const points = route(from, to, "orthogonal");
        const middle = findMiddle(points);
        const at = points.findIndex((end, index) => {
          const start = points[index - 1];
          if (start === undefined) return false;
          const isAlongX = start.y === end.y && middle.y === end.y;
          const isAlongY = start.x === end.x && middle.x === end.x;
          const isBetween = (value: number, one: number, other: number): boolean =>
            value >= Math.min(one, other) && value <= Math.max(one, other);
          return (isAlongX && isBetween(middle.x, start.x, end.x)) || (isAlongY && isBetween(middle.y, start.y, end.y));
        });
        expect(at).toBeGreaterThan(0);
        const before = measure([...points.slice(0, at), middle]);
        expect(Math.abs(before - measure(points) / 2)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
