import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import type { Bounds } from "../../src/model/bounds.ts";
import type { Picture } from "../../src/model/frame.ts";
import { compareHashes, hashRegion } from "../../src/picture/visual-hash.ts";
import { type Decoded, draw, parsePpm } from "./pictures.ts";

// Buttons drawn by ImageMagick in the fonts of real applications; each is at its own place on a grey page.

const labels = ["Save", "Discard", "Cancel", "Open…", "7", "4", "%", "Print preview"];
const size = { width: 120, height: 34 };

function placeOf(index: number): Bounds {
  return { x: 40 + 160 * (index % 4), y: 30 + 80 * Math.floor(index / 4), ...size };
}

function paint(...more: string[]): Picture {
  const shapes = labels.flatMap((label, index) => {
    const { x, y, width, height } = placeOf(index);
    const corner = `${x},${y} ${x + width - 1},${y + height - 1}`;
    return [
      ["-fill", "#e6e6e6", "-stroke", "#8f8f8f", "-draw", `roundrectangle ${corner} 6,6`],
      ["-fill", "#1c1c1c", "-stroke", "none", "-gravity", "NorthWest"],
      ["-annotate", `+${x + 60 - 4 * label.length}+${y + 8}`, label],
    ].flat();
  });
  const font = ["-font", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "-pointsize", "14"];
  const args = ["-size", "700x200", "xc:#f6f5f4", ...font, ...shapes, ...more, "-depth", "8", "ppm:-"];
  const { status, stdout, stderr } = spawnSync("convert", args, { maxBuffer: 64 << 20 });
  if (status !== 0) throw new Error(`convert: ${stderr}`);
  return toPicture(parsePpm(stdout));
}

function toPicture({ rgb, width, height }: Decoded): Picture {
  const { pixels } = draw(width, height, (x, y) =>
    Array.from(rgb.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)),
  );
  return { pixels, bounds: { x: 0, y: 0, width, height } };
}

const page = paint();
const looks = labels.map((_, index) => hashRegion(page, placeOf(index)));
const near = 8;

function distances(picture: Picture, move: (place: Bounds) => Bounds = (place) => place): number[] {
  return labels.map((_, index) => compareHashes(looks[index] ?? "", hashRegion(picture, move(placeOf(index)))));
}

describe("the visual hash of a control", () => {
  test("is 64 bits in hexadecimal digits", () => {
    for (const look of looks) expect(look).toMatch(/^[0-9a-f]{16}$/);
  });

  test("is stable when it moves by a pixel or two, or is reported a little larger", () => {
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [2, 0],
      [0, -2],
      [2, 2],
    ] as const) {
      const moved = distances(page, (place) => ({ ...place, x: place.x + dx, y: place.y + dy }));
      expect(Math.max(...moved)).toBeLessThanOrEqual(near);
    }
    const grown = distances(page, ({ x, y, width, height }) => ({
      x: x - 1,
      y: y - 1,
      width: width + 2,
      height: height + 2,
    }));
    expect(Math.max(...grown)).toBeLessThanOrEqual(near);
  });

  test("is stable when everything is drawn darker, brighter or inverted", () => {
    for (const change of [["-modulate", "80"], ["-brightness-contrast", "15x-20"], ["-negate"]]) {
      expect(Math.max(...distances(paint(...change)))).toBeLessThanOrEqual(near);
    }
  });

  test("does not depend on where the picture was taken", () => {
    const elsewhere = { ...page, bounds: { ...page.bounds, x: -500, y: 300 } };
    const moved = distances(elsewhere, (place) => ({ ...place, x: place.x - 500, y: place.y + 300 }));
    expect(moved).toEqual(labels.map(() => 0));
  });

  test("differs for every other control", () => {
    const pairs = looks.flatMap((one, at) => looks.slice(at + 1).map((other) => compareHashes(one, other)));
    expect(Math.min(...pairs)).toBeGreaterThan(near);
  });

  test("is undefined where nothing is drawn or visible", () => {
    expect(hashRegion(page, { x: 5, y: 5, width: 30, height: 20 })).toBe("");
    expect(hashRegion(page, { x: 5000, y: 5, width: 30, height: 20 })).toBe("");
    expect(hashRegion(page, { x: 5, y: 5, width: 0, height: 0 })).toBe("");
    expect(compareHashes("", looks[0] ?? "")).toBe(64);
  });
});
