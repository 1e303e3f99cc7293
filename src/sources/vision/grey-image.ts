import type { Bounds } from "../../model/bounds.ts";
import type { Picture } from "../../model/frame.ts";
import { type Box, brightnessAt } from "./boxes.ts";

/** A greyscale image, one byte per pixel. */
export interface GreyImage {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Maximum border width before scaling. */
const borderPx = 2;
/** White margin around separately read content, before scaling. */
const marginPx = 20;
const gapPx = 6;
const white = 255;

export function makeGrey({ pixels, bounds: { width, height } }: Picture): GreyImage {
  const grey = new Uint8Array(width * height);
  for (let at = 0; at < grey.length; at += 1) grey[at] = brightnessAt(pixels, at * 4);
  return { pixels: grey, width, height };
}

/** The picture without its boxes, which are read separately. */
export function makePage(grey: GreyImage, boxes: readonly Box[], scale: number): GreyImage {
  const { width, height } = grey;
  const pixels = grey.pixels.slice();
  const border = Math.ceil(borderPx * scale);
  for (const { bounds } of boxes) {
    const [x0, x1] = [Math.max(0, bounds.x - border), Math.min(width, bounds.x + bounds.width + border)];
    const [y0, y1] = [Math.max(0, bounds.y - border), Math.min(height, bounds.y + bounds.height + border)];
    // Filled with the adjacent colour, so that no edge is read as a letter.
    const middle = bounds.y + (bounds.height >> 1);
    const filling = x0 > 0 ? (grey.pixels[middle * width + x0 - 1] ?? white) : white;
    for (let y = y0; y < y1; y += 1) pixels.fill(filling, y * width + x0, y * width + x1);
  }
  return { pixels, width, height };
}

export interface Column extends GreyImage {
  /** The position of each box in the column. */
  readonly slots: readonly Bounds[];
}

/**
 * The contents of all boxes in a column, dark on white and without borders. In place, Tesseract takes the ends of a
 * rounded button for letters ("(Save)") and misses single digits.
 */
export function makeColumn(grey: GreyImage, boxes: readonly Box[], scale: number): Column {
  const [margin, gap] = [Math.ceil(marginPx * scale), Math.ceil(gapPx * scale)];
  const slots: Bounds[] = [];
  let y = margin;
  for (const { bounds } of boxes) {
    slots.push({ x: margin, y, width: bounds.width, height: bounds.height });
    y += bounds.height + gap;
  }
  const width = Math.max(0, ...boxes.map(({ bounds }) => bounds.width)) + 2 * margin;
  const height = y + margin;
  const column = { pixels: new Uint8Array(width * height).fill(white), width, height };
  for (const [at, box] of boxes.entries()) copyBox(grey, box, column, slots[at]?.y ?? 0, margin);
  return { ...column, slots };
}

function copyBox(from: GreyImage, box: Box, to: GreyImage, slotY: number, slotX: number): void {
  const { bounds, left, right, brightness } = box;
  // Stretches the contrast to the full range.
  const room = Math.max(brightness, white - brightness, 1);
  for (let row = 0; row < bounds.height; row += 1) {
    const shift = (slotY + row) * to.width + slotX - bounds.x;
    for (let x = left[row] ?? 0; x <= (right[row] ?? -1); x += 1) {
      const contrast = Math.abs((from.pixels[(bounds.y + row) * from.width + x] ?? 0) - brightness);
      to.pixels[shift + x] = white - Math.round((contrast * white) / room);
    }
  }
}

/** Doubles the size with interpolation: screen text is too small for Tesseract. */
export function enlarge({ pixels, width, height }: GreyImage): GreyImage {
  const large = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const below = y + 1 < height ? width : 0;
    for (let x = 0; x < width; x += 1) {
      const from = y * width + x;
      const beside = x + 1 < width ? 1 : 0;
      const here = pixels[from] ?? 0;
      const right = pixels[from + beside] ?? 0;
      const under = pixels[from + below] ?? 0;
      const across = pixels[from + below + beside] ?? 0;
      const to = 4 * y * width + 2 * x;
      large[to] = here;
      large[to + 1] = (here + right) >> 1;
      large[to + 2 * width] = (here + under) >> 1;
      large[to + 2 * width + 1] = (here + right + under + across) >> 2;
    }
  }
  return { pixels: large, width: 2 * width, height: 2 * height };
}

/** Portable greymap (PNM "P5"). */
export function encodePgm({ pixels, width, height }: GreyImage): Uint8Array {
  return Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`, "latin1"), pixels]);
}
