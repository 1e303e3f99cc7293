import type { Picture } from "../model/frame.ts";

/** Pictures are examined in cells of so many pixels. */
export const cellPx = 4;
/** Changes from one pixel to the next, summed over the colours: gradients change by less, the edges of letters by more. */
const leastStep = 40;

export interface Cells {
  readonly columns: number;
  readonly rows: number;
  /** 0: not examined; negative: lines count too. */
  readonly cells: Int16Array;
}

/** The cells in which colours change in both directions, which lines and gradients do in one only. */
export function findInk({ columns, rows, cells }: Cells, { pixels, bounds: { width, height } }: Picture): Uint8Array {
  const ink = new Uint8Array(cells.length);
  const bytes = Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.byteLength >> 2);
  for (let row = 0; row < rows; row += 1) {
    const end = (row + 1) * columns;
    for (let at = row * columns; at < end; at += 1) {
      if (cells[at] === 0) continue;
      const first = at;
      let hasLines = false;
      for (; at < end && cells[at] !== 0; at += 1) hasLines ||= (cells[at] ?? 0) < 0;
      const [left, right] = [
        (first % columns) * cellPx,
        Math.min(width - 1, (first % columns) * cellPx + (at - first) * cellPx),
      ];
      for (let y = row * cellPx; y < Math.min((row + 1) * cellPx, height - 1); y += 1) {
        const [here, below] = [(y * width + left) * 4, ((y + 1) * width + left) * 4];
        const size = (right - left) * 4;
        // Most rows are as the one below, and one native comparison takes less time than a look at their pixels.
        if (!hasLines && bytes.compare(bytes, below, below + size, here, here + size) === 0) continue;
        markRow(words, y * width, width, left, right, cells, ink, row * columns);
      }
    }
  }
  return ink;
}

function markRow(
  words: Uint32Array,
  start: number,
  width: number,
  left: number,
  right: number,
  cells: Int16Array,
  ink: Uint8Array,
  firstCell: number,
): void {
  for (let x = left; x < right; x += 1) {
    const here = words[start + x] ?? 0;
    const [beside, below] = [words[start + x + 1] ?? 0, words[start + x + width] ?? 0];
    if (here === below && here === beside) continue;
    const cell = firstCell + Math.floor(x / cellPx);
    const [across, down] = [measureStep(here, beside) >= leastStep, measureStep(here, below) >= leastStep];
    if ((across && down) || ((across || down) && (cells[cell] ?? 0) < 0)) ink[cell] = 1;
  }
}

function measureStep(one: number, other: number): number {
  return (
    Math.abs((one & 0xff) - (other & 0xff)) +
    Math.abs(((one >> 8) & 0xff) - ((other >> 8) & 0xff)) +
    Math.abs(((one >> 16) & 0xff) - ((other >> 16) & 0xff))
  );
}
