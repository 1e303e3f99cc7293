import { describe, expect, test } from "bun:test";
import { colourOf } from "../../src/marks/tag.ts";
import { digits, drawMarks, measureTag } from "../../src/picture/draw-marks.ts";
import { draw, toRgb } from "./pictures.ts";
import { findTag, isTagColour, readColour } from "./tags.ts";

const runtimes = [
  ["white", () => [255, 255, 255]],
  ["black", () => [0, 0, 0]],
  ["a colour of its own", () => [0xb3, 0, 0x1b]],
  ["noise", (x: number, y: number) => [(x * 37) & 255, (y * 91) & 255, (x * y * 13) & 255]],
] as const;

describe.each(runtimes)("marks on %s", (_name, runtime) => {
  const raster = draw(300, 200, runtime);
  const marked = [
    { mark: 7, bounds: { x: 40, y: 40, width: 80, height: 30 } },
    { mark: 12345, bounds: { x: 160, y: 90, width: 60, height: 60 } },
    { mark: 680, bounds: { x: -20, y: 150, width: 60, height: 100 } },
  ];
  drawMarks(raster, marked);
  const picture = { width: raster.width, height: raster.height, rgb: toRgb(raster) };

  test("have outlines on the outermost pixels of their controls, and a white line within", () => {
    for (const { mark, bounds } of marked.slice(0, 2)) {
      const { x, y, width, height } = bounds;
      for (const [column, row] of [
        [x, y + height / 2],
        [x + width - 1, y + height / 2],
        [x + width / 2, y],
        [x + width / 2, y + height - 1],
      ] as const) {
        expect(isTagColour(picture, column, row, mark)).toBe(true);
      }
      expect(readColour(picture, x + 1, y + height / 2)).toBe("#ffffff");
    }
  });

  test("are read as their numbers, digit by digit", () => {
    for (const { mark } of marked) {
      const tag = findTag(picture, mark, { x: 0, y: 0, width: 300, height: 200 });
      expect({ mark, isThere: tag !== undefined }).toEqual({ mark, isThere: true });
    }
  });

  test("leave everything else as it was", () => {
    const [red = 0, green = 0, blue = 0] = runtime(10, 10);
    const hex = [red, green, blue].map((part) => part.toString(16).padStart(2, "0")).join("");
    expect(readColour(picture, 10, 10)).toBe(`#${hex}`);
    const [inRed = 0, inGreen = 0, inBlue = 0] = runtime(80, 55);
    const inHex = [inRed, inGreen, inBlue].map((part) => part.toString(16).padStart(2, "0")).join("");
    expect(readColour(picture, 80, 55)).toBe(`#${inHex}`);
  });
});

test("every two digits differ in at least four pixels", () => {
  const flat = digits.map((rows) => rows.join(""));
  for (const [at, one] of flat.entries()) {
    expect(one).toMatch(/^[.#]{54}$/);
    for (const other of flat.slice(at + 1)) {
      expect([...one].filter((pixel, place) => pixel !== other[place]).length).toBeGreaterThanOrEqual(4);
    }
  }
});

test("a tag is as wide as its number, and its colour has a contrast above 5 to 1 with white digits", () => {
  expect([measureTag(5), measureTag(55), measureTag(5555)]).toEqual([
    { width: 10, height: 13 },
    { width: 17, height: 13 },
    { width: 31, height: 13 },
  ]);
  for (let mark = 1; mark <= 14; mark += 1) {
    expect(colourOf(mark)).not.toBe(colourOf(mark + 1));
    expect(1.05 / (luminance(colourOf(mark)) + 0.05)).toBeGreaterThan(5);
  }
});

/** Relative luminance as defined by WCAG 2. */
function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
