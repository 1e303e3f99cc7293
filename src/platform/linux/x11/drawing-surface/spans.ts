import type { Bounds } from "../../../../model/bounds.ts";

/** Premultiplied BGRA pixels and their screen position. */
export interface Image {
  readonly place: Bounds;
  readonly pixels: Uint8Array;
}

const tilePx = 64;
/** Without blending a pixel is drawn if it is more than half opaque. */
const halfSeen = 128;
/** Shapes with more pieces are simplified: each costs the server work. */
const maxSpans = 4000;

/** The nonempty tiles of an image, in its coordinates. */
export function listTiles({ place: { width, height }, pixels }: Image): Bounds[] {
  const tiles: Bounds[] = [];
  for (let y = 0; y < height; y += tilePx) {
    for (let x = 0; x < width; x += tilePx) {
      const tile = { x, y, width: Math.min(tilePx, width - x), height: Math.min(tilePx, height - y) };
      if (hasPixel(pixels, width, tile)) tiles.push(tile);
    }
  }
  return tiles;
}

function hasPixel(pixels: Uint8Array, rowWidth: number, tile: Bounds): boolean {
  for (let y = tile.y; y < tile.y + tile.height; y += 1) {
    const row = y * rowWidth;
    for (let x = tile.x; x < tile.x + tile.width; x += 1) if (pixels[(row + x) * 4 + 3] !== 0) return true;
  }
  return false;
}

/** The drawn pixels of an image as rectangles on the screen, for displays without blending. */
export function listSpans(image: Image): Bounds[] {
  const fine = collectSpans(image, false);
  return fine.length <= maxSpans ? fine : collectSpans(image, true).slice(0, maxSpans);
}

interface Open {
  readonly width: number;
  readonly y: number;
}

/** Runs of pixels, merged with equal runs above; a crowded row becomes a single run. */
function collectSpans({ place, pixels }: Image, isCoarse: boolean): Bounds[] {
  const spans: Bounds[] = [];
  let above = new Map<number, Open>();
  const close = (x: number, { width, y }: Open, end: number): void => {
    spans.push({ x: place.x + x, y: place.y + y, width, height: end - y });
  };
  for (let y = 0; y <= place.height; y += 1) {
    const row = y === place.height ? [] : listRuns(pixels, y * place.width, place.width, isCoarse);
    const here = new Map<number, Open>();
    for (const [x, width] of row) {
      const same = above.get(x);
      here.set(x, same?.width === width ? same : { width, y });
    }
    for (const [x, open] of above) if (here.get(x) !== open) close(x, open, y);
    above = here;
  }
  return spans;
}

function listRuns(pixels: Uint8Array, start: number, width: number, isCoarse: boolean): [number, number][] {
  const runs: [number, number][] = [];
  let from = -1;
  for (let x = 0; x <= width; x += 1) {
    const isDrawn = x < width && (pixels[(start + x) * 4 + 3] ?? 0) >= halfSeen;
    if (isDrawn && from < 0) from = x;
    if (isDrawn || from < 0) continue;
    runs.push([from, x - from]);
    from = -1;
  }
  const [first, last] = [runs[0], runs.at(-1)];
  return isCoarse && first !== undefined && last !== undefined ? [[first[0], last[0] + last[1] - first[0]]] : runs;
}
