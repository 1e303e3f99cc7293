import { type Bounds, intersect } from "../model/bounds.ts";
import type { Picture } from "../model/frame.ts";

/**
 * A 64-bit perceptual hash that is nearly unchanged when a control moves by a pixel or two or gets brighter. It
 * measures the drawing on the control rather than the whole control: a letter on a large key would hardly count, and
 * the border would shift with every pixel.
 */
const columns = 8;
const rows = 7;
/** The remaining eight bits encode the aspect ratio in steps of half an octave. */
const shapeSteps = 8;
const narrowest = -1.25;
const step = 0.5;

const bitCount = columns * rows + shapeSteps;
/** The rim of a control is its border and what is beside it. */
const rimPx = 4;
const rimShare = 1 / 6;
/** Rounded corners extend further in: this many rims, summed from both edges. */
const cornerRims = 3;
/** Contrast below this share of the maximum is shading. */
const faint = 1 / 3;
/** Less contrast means that nothing is drawn. */
const leastContrast = 12;
/** Standard deviations around the centre that contain nearly the whole drawing but no stray corner. */
const reach = 1.9;

/** The contrast of each pixel with the background, 0 to 1. */
interface Drawing {
  readonly ink: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Hashes a region, given in screen pixels, to 16 hexadecimal digits; empty if nothing is drawn there. */
export function hashRegion(picture: Picture, region: Bounds): string {
  const rim = Math.min(rimPx, Math.floor(Math.min(region.width, region.height) * rimShare));
  const inner = {
    x: region.x + rim,
    y: region.y + rim,
    width: region.width - 2 * rim,
    height: region.height - 2 * rim,
  };
  const seen = intersect(inner, picture.bounds);
  const drawing = seen && findDrawing(picture, seen, (x, y) => isInCorner(region, x, y, cornerRims * rim));
  if (drawing === undefined) return "";
  const frame = frameDrawing(drawing);
  const density = averageCells(drawing, frame);
  const mean = density.reduce((sum, value) => sum + value, 0) / density.length;
  const shape = Math.log2(frame.width / frame.height);
  const bits = [
    ...Array.from({ length: shapeSteps }, (_, at) => shape > narrowest + at * step),
    ...Array.from(density, (value) => value > mean),
  ];
  return writeHex(bits);
}

/** The number of differing bits; 64 if either hash is missing. */
export function compareHashes(one: string, other: string): number {
  if (!isHash(one) || !isHash(other)) return bitCount;
  let different = 0;
  for (let at = 0; at < one.length; at += 1) {
    let bits = Number.parseInt(one.charAt(at), 16) ^ Number.parseInt(other.charAt(at), 16);
    for (; bits > 0; bits >>= 1) different += bits & 1;
  }
  return different;
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

function isInCorner({ x, y, width, height }: Bounds, pointX: number, pointY: number, reachPx: number): boolean {
  const fromSide = Math.min(pointX - x, x + width - 1 - pointX);
  const fromEnd = Math.min(pointY - y, y + height - 1 - pointY);
  return fromSide + fromEnd < reachPx;
}

function findDrawing(
  { pixels, bounds }: Picture,
  part: Bounds,
  isLeftOut: (x: number, y: number) => boolean,
): Drawing | undefined {
  const { width, height } = part;
  const grey = new Uint8Array(width * height);
  const counts = new Uint32Array(256);
  for (let y = 0, to = 0; y < height; y += 1) {
    let from = ((part.y - bounds.y + y) * bounds.width + part.x - bounds.x) * 4;
    for (let x = 0; x < width; x += 1, from += 4, to += 1) {
      // Rec. 601 luma in integers.
      const value = (29 * (pixels[from] ?? 0) + 150 * (pixels[from + 1] ?? 0) + 77 * (pixels[from + 2] ?? 0)) >> 8;
      grey[to] = value;
      counts[value] = (counts[value] ?? 0) + 1;
    }
  }
  const background = counts.indexOf(Math.max(...counts));
  grey.forEach((_, at) => {
    if (isLeftOut(part.x + (at % width), part.y + Math.floor(at / width))) grey[at] = background;
  });
  const contrast = grey.reduce((most, value) => Math.max(most, Math.abs(value - background)), 0);
  if (contrast < leastContrast) return undefined;
  return { ink: Float32Array.from(grey, (value) => Math.abs(value - background) / contrast), width, height };
}

function frameDrawing({ ink, width, height }: Drawing): Bounds {
  let [all, sumX, sumY, squareX, squareY] = [0, 0, 0, 0, 0];
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const weight = ink[at] ?? 0;
      if (weight < faint) continue;
      all += weight;
      sumX += weight * (x + 0.5);
      sumY += weight * (y + 0.5);
      squareX += weight * (x + 0.5) ** 2;
      squareY += weight * (y + 0.5) ** 2;
    }
  }
  const [middleX, middleY] = [sumX / all, sumY / all];
  const spread = (square: number, middle: number): number => Math.max(1, Math.sqrt(square / all - middle ** 2) || 0);
  const [halfWidth, halfHeight] = [reach * spread(squareX, middleX), reach * spread(squareY, middleY)];
  return { x: middleX - halfWidth, y: middleY - halfHeight, width: 2 * halfWidth, height: 2 * halfHeight };
}

function averageCells(drawing: Drawing, frame: Bounds): Float64Array {
  const cells = new Float64Array(columns * rows);
  const [cellWidth, cellHeight] = [frame.width / columns, frame.height / rows];
  for (let y = Math.max(0, Math.floor(frame.y)); y < Math.min(drawing.height, frame.y + frame.height); y += 1) {
    for (let x = Math.max(0, Math.floor(frame.x)); x < Math.min(drawing.width, frame.x + frame.width); x += 1) {
      const ink = drawing.ink[y * drawing.width + x] ?? 0;
      if (ink > 0)
        shareOut(cells, ink, (x - frame.x) / cellWidth, (y - frame.y) / cellHeight, 1 / cellWidth, 1 / cellHeight);
    }
  }
  return cells;
}

/** Distributes a pixel over the cells it overlaps. Positions and sizes are in cells. */
function shareOut(cells: Float64Array, ink: number, x: number, y: number, width: number, height: number): void {
  for (let row = Math.max(0, Math.floor(y)); row < Math.min(rows, y + height); row += 1) {
    const high = Math.min(row + 1, y + height) - Math.max(row, y);
    for (let column = Math.max(0, Math.floor(x)); column < Math.min(columns, x + width); column += 1) {
      const wide = Math.min(column + 1, x + width) - Math.max(column, x);
      const at = row * columns + column;
      cells[at] = (cells[at] ?? 0) + ink * wide * high;
    }
  }
}

function writeHex(bits: readonly boolean[]): string {
  let text = "";
  for (let at = 0; at < bits.length; at += 4) {
    const digit = bits.slice(at, at + 4).reduce((value, bit) => value * 2 + (bit ? 1 : 0), 0);
    text += digit.toString(16);
  }
  return text;
}
