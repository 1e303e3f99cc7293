import { describe, expect, test } from "bun:test";
import type { Bounds } from "../../src/model/bounds.ts";
import type { Picture } from "../../src/model/frame.ts";
import { describeAppearance, isSameAppearance } from "../../src/picture/appearance.ts";
import { compareHashes } from "../../src/picture/visual-hash.ts";
import { draw } from "./pictures.ts";

// One button with a cross on it, in a window; each pair differs in one property.

const window: Bounds = { x: 0, y: 0, width: 500, height: 400 };
const place: Bounds = { x: 220, y: 180, width: 60, height: 40 };

interface Scene {
  readonly face: readonly number[];
  readonly drawing: (x: number, y: number) => boolean;
  readonly surroundings: (x: number, y: number) => boolean;
}

const cross = (x: number, y: number): boolean =>
  Math.abs(Math.abs(x - 30) - Math.abs(y - 20)) < 3 && Math.abs(y - 20) < 12;
const ring = (x: number, y: number): boolean => Math.abs(Math.hypot(x - 30, y - 20) - 10) < 2;
const linesAbove = (_x: number, y: number): boolean => y > 110 && y < 160 && y % 12 < 5;
const columnsLeft = (x: number): boolean => x > 110 && x < 200 && x % 14 < 6;
const plain: Scene = { face: [60, 120, 200], drawing: cross, surroundings: linesAbove };

function paint({ face, drawing, surroundings }: Scene): Picture {
  const isInside = (x: number, y: number): boolean =>
    x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height;
  const { pixels } = draw(window.width, window.height, (x, y) => {
    if (isInside(x, y)) return drawing(x - place.x, y - place.y) ? [250, 250, 250] : face;
    return surroundings(x, y) ? [30, 30, 30] : [240, 240, 240];
  });
  return { pixels, bounds: window };
}

const look = (change: Partial<Scene>): string => describeAppearance(paint({ ...plain, ...change }), place, window);

describe("a taught place", () => {
  test("looks as it did while nothing has changed", () => expect(isSameAppearance(look({}), look({}))).toBe(true));

  test("looks different with something else drawn on it", () =>
    expect(isSameAppearance(look({}), look({ drawing: ring }))).toBe(false));

  test("looks different in another colour, even with the same drawing", () => {
    const [blue, red] = [look({}), look({ face: [200, 60, 60] })];
    expect(red.split(" ")[0]).toBe(blue.split(" ")[0] ?? "");
    expect(compareHashes(red.split(" ")[2] ?? "", blue.split(" ")[2] ?? "")).toBeLessThan(5);
    expect(isSameAppearance(blue, red)).toBe(false);
    // Nor in one that differs in a single part of it.
    for (const face of [
      [120, 120, 200],
      [60, 180, 200],
      [60, 120, 130],
    ]) {
      expect([face, isSameAppearance(blue, look({ face }))]).toEqual([face, false]);
    }
  });

  test("looks the same in an imperceptibly different shade", () =>
    expect(isSameAppearance(look({}), look({ face: [66, 126, 206] }))).toBe(true));

  test("looks different with other surroundings, even if unchanged itself", () => {
    const [before, now] = [look({}), look({ surroundings: columnsLeft })];
    expect(now.split(" ").slice(0, 2)).toEqual(before.split(" ").slice(0, 2));
    expect(isSameAppearance(before, now)).toBe(false);
  });
});

test("for a place known only from a picture, the surroundings do not matter", () => {
  const describeAlone = (change: Partial<Scene>): string =>
    describeAppearance(paint({ ...plain, ...change }), place, undefined);
  expect(isSameAppearance(describeAlone({}), describeAlone({ surroundings: columnsLeft }))).toBe(true);
  expect(isSameAppearance(describeAlone({}), describeAlone({ drawing: ring }))).toBe(false);
});

test("a place without an appearance matches nothing, not even itself", () => {
  const blank = look({ drawing: () => false, face: [240, 240, 240] });
  expect([blank, isSameAppearance(blank, blank)]).toEqual(["", false]);
});
