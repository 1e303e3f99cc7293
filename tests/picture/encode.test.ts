import { describe, expect, test } from "bun:test";
import { encode } from "../../src/picture/encode.ts";
import { fc } from "../property.ts";
import { decode, draw, toRgb } from "./pictures.ts";

const sizes = [
  [1, 1],
  [1, 7],
  [7, 1],
  [16, 16],
  [17, 33],
  [321, 123],
] as const;

/** Soft gradients with a hard edge, as in windows. */
const softly = (x: number, y: number): number[] => (x > 40 ? [30, 60, 90] : [x * 2, 100 + y, 200 - x - y]);

describe("a PNG", () => {
  test.each(sizes)("of %d by %d pixels decodes to exactly the same pixels", async (width, height) => {
    const [seen] = fc.sample(fc.uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 }), 1);
    const raster = { pixels: seen ?? new Uint8Array(), width, height };
    const decoded = decode(await encode(raster, "png", 80), "png");
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    expect(decoded.rgb.equals(toRgb(raster))).toBe(true);
  });

  test("of a flat area is small", async () => {
    const flat = draw(1000, 1000, () => [240, 240, 240]);
    expect((await encode(flat, "png", 80)).length).toBeLessThan(20_000);
  });
});

describe("a JPEG", () => {
  test.each(sizes)("of %d by %d pixels decodes to nearly the same", async (width, height) => {
    const raster = draw(width, height, softly);
    const decoded = decode(await encode(raster, "jpg", 95), "jpg");
    expect([decoded.width, decoded.height]).toEqual([width, height]);
    const source = toRgb(raster);
    const error = source.reduce((sum, value, at) => sum + Math.abs(value - (decoded.rgb[at] ?? -999)), 0);
    expect(error / source.length).toBeLessThan(3);
  });

  test("has red, green and blue in their places", async () => {
    for (const [channel, colour] of [
      [0, [255, 0, 0]],
      [1, [0, 255, 0]],
      [2, [0, 0, 255]],
    ] as const) {
      const { rgb } = decode(
        await encode(
          draw(16, 16, () => colour),
          "jpg",
          90,
        ),
        "jpg",
      );
      expect(rgb[channel]).toBeGreaterThan(240);
      expect(rgb[(channel + 1) % 3]).toBeLessThan(15);
    }
  });

  test("is smaller at lower quality", async () => {
    const busy = draw(200, 200, (x, y) => [(x * 7) & 255, (y * 13) & 255, (x * y) & 255]);
    const lengths = await Promise.all(
      [1, 20, 80, 100].map(async (quality) => (await encode(busy, "jpg", quality)).length),
    );
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBe(4);
  });
});
