import { describe, expect, test } from "bun:test";
import { type Raster, scaleDown } from "../../src/picture/scale.ts";
import { fc } from "../property.ts";
import { draw } from "./pictures.ts";

const anyScale = fc.oneof(
  fc.constantFrom(0.1, 0.2, 0.25, 0.3, 1 / 3, 0.5, 0.7, 0.75, 0.9, 1),
  fc.double({ min: 0.1, max: 1, noNaN: true }),
);
const anyPicture = fc
  .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })
  .chain(({ width, height }) =>
    fc
      .uint8Array({ minLength: width * height * 4, maxLength: width * height * 4 })
      .map((pixels): Raster => ({ pixels, width, height })),
  );

/** A slow reference implementation from the definition: every target pixel is the mean of the square it covers. */
function averageByDefinition({ pixels, width, height }: Raster, scale: number, x: number, y: number): number[] {
  const sums = [0, 0, 0];
  let area = 0;
  const overlap = (from: number, to: number, at: number): number =>
    Math.max(0, Math.min(to, at + 1) - Math.max(from, at));
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const part = overlap(x / scale, (x + 1) / scale, column) * overlap(y / scale, (y + 1) / scale, row);
      area += part;
      for (const channel of [0, 1, 2]) {
        sums[channel] = (sums[channel] ?? 0) + part * (pixels[(row * width + column) * 4 + channel] ?? 0);
      }
    }
  }
  return sums.map((sum) => sum / area);
}

describe("a picture that is scaled down", () => {
  test("has in every pixel the mean of the area it covers", () => {
    fc.assert(
      fc.property(anyPicture, anyScale, (source, scale) => {
        const small = scaleDown(source, scale);
        for (let y = 0; y < small.height; y += 1) {
          for (let x = 0; x < small.width; x += 1) {
            const mean = averageByDefinition(source, scale, x, y);
            for (const channel of [0, 1, 2]) {
              const got = small.pixels[(y * small.width + x) * 4 + channel] ?? -1;
              expect(Math.abs(got - (mean[channel] ?? -1))).toBeLessThanOrEqual(0.51);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("is as large as the scale says, and never empty", () => {
    fc.assert(
      fc.property(anyPicture, anyScale, (source, scale) => {
        const { width, height, pixels } = scaleDown(source, scale);
        expect(Math.abs(width - source.width * scale)).toBeLessThan(1);
        expect(Math.abs(height - source.height * scale)).toBeLessThan(1);
        expect(pixels.length).toBe(width * height * 4);
        expect(width).toBeGreaterThan(0);
      }),
    );
  });

  test("gets no extra pixel from rounding", () => {
    const source = draw(70, 30, () => [1, 2, 3]);
    expect(scaleDown(source, 0.1)).toMatchObject({ width: 7, height: 3 });
    expect(scaleDown(source, 0.7)).toMatchObject({ width: 49, height: 21 });
  });

  test("keeps places: a dot at p is found at p × scale", () => {
    fc.assert(
      fc.property(fc.nat(39), fc.nat(39), anyScale, (x, y, scale) => {
        const source = draw(40, 40, (column, row) => (column === x && row === y ? [255, 255, 255] : [0, 0, 0]));
        const { pixels, width } = scaleDown(source, scale);
        const brightest = pixels.reduce((best, value, at) => {
          return at % 4 === 1 && value > (pixels[best] ?? 0) ? at : best;
        }, 1);
        const at = Math.floor(brightest / 4);
        // The brightest pixel covers the square with the larger part of the dot.
        expect(Math.abs((at % width) + 0.5 - (x + 0.5) * scale)).toBeLessThanOrEqual(1);
        expect(Math.abs(Math.floor(at / width) + 0.5 - (y + 0.5) * scale)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("is opaque, whatever was in the fourth byte, and the same at scale 1", () => {
    fc.assert(
      fc.property(anyPicture, anyScale, (source, scale) => {
        expect(scaleDown(source, scale).pixels.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
        const same = scaleDown(source, 1).pixels;
        expect(same.every((value, at) => at % 4 === 3 || value === source.pixels[at])).toBe(true);
      }),
    );
  });

  test("may begin at any offset in memory", () => {
    const { pixels } = draw(4, 4, (x, y) => [x * 50, y * 50, 9]);
    const shifted = new Uint8Array(pixels.length + 3);
    shifted.set(pixels, 3);
    const picture = { pixels: shifted.subarray(3), width: 4, height: 4 };
    expect(scaleDown(picture, 0.5)).toEqual(scaleDown({ pixels, width: 4, height: 4 }, 0.5));
  });
});
