import { type Bounds, containsBounds } from "../../model/bounds.ts";
import type { Picture } from "../../model/frame.ts";

/** A uniformly coloured area with something on it that could be a button. Positions are in picture pixels. */
export interface Box {
  readonly bounds: Bounds;
  /** The first and last column of its colour in each row, which excludes rounded ends. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Brightness of its colour, 0 to 255. */
  readonly brightness: number;
}

/** Gradients change by less than this per pixel, borders by more. */
const gradientStep = 3;
/** Button sizes before scaling; a check box is smaller. */
const smallest = { width: 20, height: 14 } as const;
const largest = { width: 480, height: 72 } as const;
/** The share of the bounding box that has its colour; the rest is its content and rounded corners. */
const colouredShare = [0.4, 0.985] as const;

/** Unbroken stretches of one colour in a row. */
interface Runs {
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** The first run of each row, and one past the last. */
  readonly rowAt: Int32Array;
}

/** More boxes than this mean a photograph or a map. */
const maxBoxes = 400;

/**
 * Finds closed areas of one colour by connected-component labelling of runs. Of nested areas only the innermost; in
 * reading order.
 */
export function findBoxes(picture: Picture, scale: number): Box[] {
  const { width, height } = picture.bounds;
  const runs = listRuns(picture.pixels, width, height);
  const areas = joinRuns(picture.pixels, width, runs);
  const fitting = measureAreas(areas, runs, height, scale);
  if (fitting.length > maxBoxes) return [];
  return fitting
    .filter((outer) => !fitting.some((inner) => inner !== outer && containsBounds(outer.bounds, inner.bounds)))
    .map(({ name, bounds }) => outline(picture.pixels, width, runs, areas, name, bounds));
}

function listRuns(pixels: Uint8Array, width: number, height: number): Runs {
  const [start, end] = [new Int32Array(width * height), new Int32Array(width * height)];
  const rowAt = new Int32Array(height + 1);
  let count = 0;
  for (let y = 0, at = 0; y < height; y += 1) {
    rowAt[y] = count;
    start[count] = 0;
    at += 4;
    for (let x = 1; x < width; x += 1, at += 4) {
      if (isAlike(pixels, at, at - 4)) continue;
      end[count] = x - 1;
      count += 1;
      start[count] = x;
    }
    end[count] = width - 1;
    count += 1;
  }
  rowAt[height] = count;
  return { start: start.subarray(0, count), end: end.subarray(0, count), rowAt };
}

/** Unrolled: this runs for every pixel, mostly before JIT compilation. */
function isAlike(pixels: Uint8Array, one: number, other: number): boolean {
  const blue = (pixels[one] ?? 0) - (pixels[other] ?? 0);
  if (blue > gradientStep || blue < -gradientStep) return false;
  const green = (pixels[one + 1] ?? 0) - (pixels[other + 1] ?? 0);
  if (green > gradientStep || green < -gradientStep) return false;
  const red = (pixels[one + 2] ?? 0) - (pixels[other + 2] ?? 0);
  return red <= gradientStep && red >= -gradientStep;
}

/** For each run the first run of its area. */
function joinRuns(pixels: Uint8Array, width: number, { start, end, rowAt }: Runs): Int32Array {
  const parent = new Int32Array(start.length);
  for (let run = 0; run < parent.length; run += 1) parent[run] = run;
  const find = (run: number): number => {
    let root = run;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root] ?? 0] ?? 0;
      root = parent[root] ?? 0;
    }
    return root;
  };
  for (let y = 1; y + 1 < rowAt.length; y += 1) {
    let above = rowAt[y - 1] ?? 0;
    let here = rowAt[y] ?? 0;
    const [aboveEnd, hereEnd] = [here, rowAt[y + 1] ?? 0];
    while (above < aboveEnd && here < hereEnd) {
      const from = Math.max(start[above] ?? 0, start[here] ?? 0);
      const to = Math.min(end[above] ?? 0, end[here] ?? 0);
      if (from <= to && isAlike(pixels, (y * width + from) * 4, ((y - 1) * width + from) * 4)) {
        const [one, other] = [find(above), find(here)];
        if (one < other) parent[other] = one;
        else parent[one] = other;
      }
      if ((end[above] ?? 0) < (end[here] ?? 0)) above += 1;
      else here += 1;
    }
  }
  for (let run = 0; run < parent.length; run += 1) parent[run] = find(run);
  return parent;
}

interface Area {
  readonly name: number;
  readonly bounds: Bounds;
}

function measureAreas(areas: Int32Array, { start, end, rowAt }: Runs, height: number, scale: number): Area[] {
  const count = areas.length;
  const [left, right] = [new Int32Array(count).fill(0x7fffffff), new Int32Array(count).fill(-1)];
  const [top, bottom] = [new Int32Array(count).fill(-1), new Int32Array(count)];
  const area = new Int32Array(count);
  for (let y = 0; y < height; y += 1) {
    for (let run = rowAt[y] ?? 0; run < (rowAt[y + 1] ?? 0); run += 1) {
      const name = areas[run] ?? 0;
      const [from, to] = [start[run] ?? 0, end[run] ?? 0];
      if (from < (left[name] ?? 0)) left[name] = from;
      if (to > (right[name] ?? 0)) right[name] = to;
      if (top[name] === -1) top[name] = y;
      bottom[name] = y;
      area[name] = (area[name] ?? 0) + to - from + 1;
    }
  }
  const found: Area[] = [];
  for (let name = 0; name < count; name += 1) {
    if (areas[name] !== name) continue;
    const [x, y] = [left[name] ?? 0, top[name] ?? 0];
    const bounds = { x, y, width: (right[name] ?? 0) - x + 1, height: (bottom[name] ?? 0) - y + 1 };
    if (isBoxSized(bounds, area[name] ?? 0, scale)) found.push({ name, bounds });
  }
  return found;
}

function isBoxSized({ width, height }: Bounds, area: number, scale: number): boolean {
  const [least, most] = colouredShare;
  const share = area / (width * height);
  return (
    width >= smallest.width * scale &&
    height >= smallest.height * scale &&
    width <= largest.width * scale &&
    height <= largest.height * scale &&
    share >= least &&
    share <= most
  );
}

function outline(
  pixels: Uint8Array,
  width: number,
  { start, end, rowAt }: Runs,
  areas: Int32Array,
  name: number,
  bounds: Bounds,
): Box {
  const left = new Int32Array(bounds.height).fill(bounds.x + bounds.width);
  const right = new Int32Array(bounds.height).fill(bounds.x - 1);
  let [sum, count] = [0, 0];
  for (let row = 0; row < bounds.height; row += 1) {
    const y = bounds.y + row;
    for (let run = rowAt[y] ?? 0; run < (rowAt[y + 1] ?? 0); run += 1) {
      if (areas[run] !== name) continue;
      const [from, to] = [start[run] ?? 0, end[run] ?? 0];
      left[row] = Math.min(left[row] ?? 0, from);
      right[row] = Math.max(right[row] ?? 0, to);
      sum += brightnessAt(pixels, (y * width + from) * 4) * (to - from + 1);
      count += to - from + 1;
    }
  }
  return { bounds, left, right, brightness: Math.round(sum / Math.max(1, count)) };
}

/** Rec. 601 luma in integers. */
export function brightnessAt(pixels: Uint8Array, at: number): number {
  return (29 * (pixels[at] ?? 0) + 150 * (pixels[at + 1] ?? 0) + 77 * (pixels[at + 2] ?? 0)) >> 8;
}
