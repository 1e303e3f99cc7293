import { placeTags } from "../marks/place-tags.ts";
import { colourOf, type Tagged } from "../marks/tag.ts";
import type { Bounds, Size } from "../model/bounds.ts";
import type { Colour } from "../model/drawing.ts";
import type { Raster } from "./scale.ts";

/** Digits of 6 × 9 pixels with two-pixel strokes, still legible after scaling down. */
export const digitSize = { width: 6, height: 9 } as const;

const drawn = `
.####.  ..##..  .####.  .####.  ...##.  ######  ..###.  ######  .####.  .####.
##..##  .###..  ##..##  ##..##  ..###.  ##....  .##...  ....##  ##..##  ##..##
##..##  ####..  ....##  ....##  .####.  ##....  ##....  ....##  ##..##  ##..##
##..##  ..##..  ....##  ....##  ##.##.  #####.  ##....  ...##.  ##..##  ##..##
##..##  ..##..  ...##.  ..###.  ##.##.  ....##  #####.  ...##.  .####.  .#####
##..##  ..##..  ..##..  ....##  ######  ....##  ##..##  ..##..  ##..##  ....##
##..##  ..##..  .##...  ....##  ...##.  ....##  ##..##  ..##..  ##..##  ....##
##..##  ..##..  ##....  ##..##  ...##.  ##..##  ##..##  .##...  ##..##  ...##.
.####.  ######  ######  .####.  ...##.  .####.  .####.  .##...  .####.  .###..
`;

/** By digit, then by row; "#" is ink. */
export const digits: readonly (readonly string[])[] = Array.from({ length: 10 }, (_, digit) => {
  const rows = drawn.trim().split("\n");
  return rows.map((row) => row.split("  ")[digit] ?? "");
});

const [paddingPx, gapPx] = [2, 1];
const white = 0xffffffff;
/** Smallest control whose outline gets an inner white line. */
const leastForTwoLines = 8;

/**
 * Draws outlines and marks into the given picture; pass a copy. Bounds are in picture pixels. The outline covers the
 * control's outermost pixels in the mark's colour, with a white line inside, so that one of them contrasts with any
 * background.
 */
export function drawMarks(raster: Raster, marked: readonly Tagged[]): void {
  const { buffer, byteOffset, length } = raster.pixels;
  const canvas = { ...raster, words: new Uint32Array(buffer, byteOffset, length / 4) };
  const room = { x: 0, y: 0, width: raster.width, height: raster.height };
  for (const { mark, bounds } of marked) drawOutline(canvas, bounds, toWord(colourOf(mark)));
  for (const { mark, tag } of placeTags(marked, room, measureTag)) {
    fill(canvas, tag, toWord(colourOf(mark)));
    drawNumber(canvas, mark, tag.x + paddingPx, tag.y + paddingPx);
  }
}

export function measureTag(mark: number): Size {
  const count = String(mark).length;
  return {
    width: 2 * paddingPx + count * digitSize.width + (count - 1) * gapPx,
    height: 2 * paddingPx + digitSize.height,
  };
}

interface Canvas {
  readonly words: Uint32Array;
  readonly width: number;
  readonly height: number;
}

function drawOutline(canvas: Canvas, bounds: Bounds, colour: number): void {
  const { x, y, width, height } = bounds;
  if (Math.min(width, height) >= leastForTwoLines) {
    drawLines(canvas, { x: x + 1, y: y + 1, width: width - 2, height: height - 2 }, white);
  }
  drawLines(canvas, bounds, colour);
}

function drawLines(canvas: Canvas, { x, y, width, height }: Bounds, colour: number): void {
  fill(canvas, { x, y, width, height: 1 }, colour);
  fill(canvas, { x, y: y + height - 1, width, height: 1 }, colour);
  fill(canvas, { x, y, width: 1, height }, colour);
  fill(canvas, { x: x + width - 1, y, width: 1, height }, colour);
}

function drawNumber(canvas: Canvas, mark: number, left: number, top: number): void {
  for (const [at, digit] of [...String(mark)].entries()) {
    const start = left + at * (digitSize.width + gapPx);
    for (const [row, pixels] of (digits[Number(digit)] ?? []).entries()) {
      for (let column = 0; column < digitSize.width; column += 1) {
        if (pixels[column] === "#") fill(canvas, { x: start + column, y: top + row, width: 1, height: 1 }, white);
      }
    }
  }
}

/** Clips to the picture. */
function fill({ words, width, height }: Canvas, part: Bounds, colour: number): void {
  const [left, right] = [Math.max(0, part.x), Math.min(width, part.x + part.width)];
  if (left >= right) return;
  for (let y = Math.max(0, part.y); y < Math.min(height, part.y + part.height); y += 1) {
    words.fill(colour, y * width + left, y * width + right);
  }
}

/** Packed as little-endian blue, green, red, 255. */
function toWord(colour: Colour): number {
  return (0xff000000 | Number.parseInt(colour.slice(1), 16)) >>> 0;
}
