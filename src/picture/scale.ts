/** Pixels of 4 bytes (blue, green, red, 255), rows from the top without padding. */
export interface Raster {
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const opaque = 0xff000000;
/** Red and blue are summed in one number; they do not overlap. */
const redAndBlue = 0x00ff00ff;
/** 70 × 0.1 is slightly more than 7 in floating point, and must not become an eighth pixel. */
const rounding = 1e-6;

/**
 * Scales down by area averaging: pixel p covers the source from p / scale to (p + 1) / scale, so positions map back
 * exactly. The last row and column may cover less. Every pixel becomes opaque.
 */
export function scaleDown(source: Raster, scale: number): Raster {
  if (scale === 1) return copyOpaque(source);
  return scale === 0.5 ? halve(source) : average(source, scale);
}

function scaledLength(length: number, scale: number): number {
  return Math.max(1, Math.ceil(length * scale - rounding));
}

function copyOpaque({ pixels, width, height }: Raster): Raster {
  const words = new Uint32Array(width * height);
  new Uint8Array(words.buffer).set(pixels);
  for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) | opaque;
  return { pixels: new Uint8Array(words.buffer), width, height };
}

/** The common case, four pixels to one; at an odd edge the nearest pixel counts twice. */
function halve(source: Raster): Raster {
  const { width: sourceWidth, height: sourceHeight } = source;
  const words = wordsOf(source.pixels);
  const width = scaledLength(sourceWidth, 0.5);
  const height = scaledLength(sourceHeight, 0.5);
  const result = new Uint32Array(width * height);
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    const upper = 2 * y * sourceWidth;
    const lower = 2 * y + 1 < sourceHeight ? upper + sourceWidth : upper;
    for (let x = 0; x < width; x += 1, to += 1) {
      const left = 2 * x;
      const right = left + 1 < sourceWidth ? left + 1 : left;
      const a = words[upper + left] ?? 0;
      const b = words[upper + right] ?? 0;
      const c = words[lower + left] ?? 0;
      const d = words[lower + right] ?? 0;
      const outer = (a & redAndBlue) + (b & redAndBlue) + (c & redAndBlue) + (d & redAndBlue) + 0x20002;
      const green = ((a >>> 8) & 255) + ((b >>> 8) & 255) + ((c >>> 8) & 255) + ((d >>> 8) & 255) + 2;
      result[to] = ((outer >>> 2) & redAndBlue) | ((green >>> 2) << 8) | opaque;
    }
  }
  return { pixels: new Uint8Array(result.buffer), width, height };
}

/** Any other scale: each source pixel falls into one or two target pixels in each direction. */
function average(source: Raster, scale: number): Raster {
  const width = scaledLength(source.width, scale);
  const height = scaledLength(source.height, scale);
  const columns = shareOut(source.width, width, scale);
  const rows = shareOut(source.height, height, scale);
  const result = new Uint8Array(width * height * 4).fill(255);
  const row = new Float32Array(width * 3);
  let sums = new Float32Array(width * 3);
  let next = new Float32Array(width * 3);
  let target = 0;
  const finish = (): void => {
    writeRow(result, target * width * 4, sums, columns.total, rows.total[target] ?? 1);
    [sums, next] = [next, sums.fill(0)];
    target += 1;
  };
  for (let y = 0; y < source.height; y += 1) {
    sumRow(row, source.pixels, y * source.width * 4, columns);
    if ((rows.first[y] ?? 0) > target) finish();
    const share = rows.share[y] ?? 1;
    addRow(sums, row, share);
    if (share < 1) addRow(next, row, 1 - share);
  }
  while (target < height) finish();
  return { pixels: result, width, height };
}

interface Shares {
  /** The first target pixel of a source pixel, and its share; the rest goes to the next one. */
  readonly first: Uint32Array;
  readonly share: Float32Array;
  readonly total: Float32Array;
}

function shareOut(sourceLength: number, targetLength: number, scale: number): Shares {
  const first = new Uint32Array(sourceLength);
  const share = new Float32Array(sourceLength);
  const total = new Float32Array(targetLength);
  for (let at = 0; at < sourceLength; at += 1) {
    const pixel = Math.min(targetLength - 1, Math.floor(at * scale + rounding));
    const isLast = pixel === targetLength - 1;
    const before = isLast ? 1 : Math.min(1, (pixel + 1) / scale - at);
    const whole = before > 1 - rounding ? 1 : before;
    first[at] = pixel;
    share[at] = whole;
    total[pixel] = (total[pixel] ?? 0) + whole;
    if (whole < 1) total[pixel + 1] = (total[pixel + 1] ?? 0) + 1 - whole;
  }
  return { first, share, total };
}

/** Unrolled channels and local sums: this runs for every pixel, mostly before JIT compilation. */
function sumRow(row: Float32Array, pixels: Uint8Array, start: number, { first, share }: Shares): void {
  let [blueSum, greenSum, redSum, target] = [0, 0, 0, 0];
  for (let x = 0, from = start; x < first.length; x += 1, from += 4) {
    const blue = pixels[from] ?? 0;
    const green = pixels[from + 1] ?? 0;
    const red = pixels[from + 2] ?? 0;
    const part = share[x] ?? 1;
    blueSum += blue * part;
    greenSum += green * part;
    redSum += red * part;
    if (x + 1 < first.length && first[x + 1] === target) continue;
    row[target * 3] = blueSum;
    row[target * 3 + 1] = greenSum;
    row[target * 3 + 2] = redSum;
    const rest = 1 - part;
    blueSum = blue * rest;
    greenSum = green * rest;
    redSum = red * rest;
    target += 1;
  }
  // The last source pixel may share a target pixel that gets nothing else.
  if (target * 3 < row.length) row.set([blueSum, greenSum, redSum], target * 3);
}

function addRow(sums: Float32Array, row: Float32Array, share: number): void {
  for (let at = 0; at < row.length; at += 1) sums[at] = (sums[at] ?? 0) + (row[at] ?? 0) * share;
}

function writeRow(result: Uint8Array, start: number, sums: Float32Array, totals: Float32Array, rowTotal: number): void {
  for (let x = 0, to = start, from = 0; x < totals.length; x += 1, to += 4, from += 3) {
    const area = (totals[x] ?? 1) * rowTotal;
    for (let channel = 0; channel < 3; channel += 1) {
      result[to + channel] = Math.round((sums[from + channel] ?? 0) / area);
    }
  }
}

/** The same memory as 32-bit pixels; copied if unaligned. */
function wordsOf(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}
