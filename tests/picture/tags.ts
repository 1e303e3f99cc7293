import { colourOf } from "../../src/marks/tag.ts";
import type { Bounds } from "../../src/model/bounds.ts";
import { digits } from "../../src/picture/draw-marks.ts";
import type { Decoded } from "./pictures.ts";

/** As #rrggbb; empty outside the picture. */
export function readColour({ width, height, rgb }: Decoded, x: number, y: number): string {
  if (x < 0 || y < 0 || x >= width || y >= height) return "";
  const at = (y * width + x) * 3;
  return `#${rgb.toString("hex", at, at + 3)}`;
}

export function isTagColour(picture: Decoded, x: number, y: number, mark: number): boolean {
  return readColour(picture, x, y) === colourOf(mark);
}

/** The position of a mark's number in a part of a picture: white digits on the mark's colour, every pixel as in the font. */
export function findTag(picture: Decoded, mark: number, part: Bounds): Bounds | undefined {
  const rows = drawTag(mark);
  const [width, height] = [rows[0]?.length ?? 0, rows.length];
  const colours = { ".": colourOf(mark), "#": "#ffffff" };
  for (let y = Math.max(0, part.y); y + height <= Math.min(picture.height, part.y + part.height); y += 1) {
    for (let x = Math.max(0, part.x); x + width <= Math.min(picture.width, part.x + part.width); x += 1) {
      const isHere = rows.every((row, down) =>
        [...row].every((pixel, along) => {
          return readColour(picture, x + along, y + down) === colours[pixel === "#" ? "#" : "."];
        }),
      );
      if (isHere) return { x, y, width, height };
    }
  }
  return undefined;
}

function drawTag(mark: number): readonly string[] {
  const glyphs = [...String(mark)].map((digit) => digits[Number(digit)] ?? []);
  const lines = Array.from({ length: 9 }, (_, row) => `..${glyphs.map((glyph) => glyph[row] ?? "").join(".")}..`);
  const blank = ".".repeat(lines[0]?.length ?? 0);
  return [blank, blank, ...lines, blank, blank];
}
