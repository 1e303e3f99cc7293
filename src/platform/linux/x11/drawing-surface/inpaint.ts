import { type Bounds, intersect } from "../../../../model/bounds.ts";

/** Search radius for a colour. */
const reachPx = 64;

/**
 * Fills uncovered places with the surrounding colours. Only the compositor knows what it shows where there is no
 * window: its wallpaper, shadows. That carries no information, and what was drawn on it must not remain.
 */
export function inpaint(
  pixels: Uint8Array,
  part: Bounds,
  { drawn, windows, bare }: Record<"drawn" | "windows" | "bare", readonly Bounds[]>,
): void {
  if (bare.length === 0) return;
  const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, part.width * part.height);
  const kinds = new Uint8Array(part.width * part.height);
  for (const place of windows) eachRow(place, part, (start, end) => void kinds.fill(kind.window, start, end));
  for (const place of drawn) eachRow(place, part, (start, end) => void kinds.fill(kind.drawn, start, end));
  for (const place of bare) {
    eachRow(place, part, (start, end) => {
      for (let at = start; at < end; at += 1) colours[at] = colours[findSource(kinds, part, at)] ?? 0;
    });
  }
}

const kind = { bare: 0, window: 1, drawn: 2 };

/** The nearest pixel outside any window; else one of a window. */
function findSource(kinds: Uint8Array, { width, height }: Bounds, at: number): number {
  const [x, y] = [at % width, Math.floor(at / width)];
  const [steps, most] = [
    [-1, 1, -width, width],
    [x, width - 1 - x, y, height - 1 - y],
  ];
  let second = at;
  for (let distance = 1; distance <= reachPx; distance += 1) {
    for (let side = 0; side < 4; side += 1) {
      if (distance > (most[side] ?? 0)) continue;
      const found = at + (steps[side] ?? 0) * distance;
      if (kinds[found] === kind.bare) return found;
      if (second === at && kinds[found] === kind.window) second = found;
    }
  }
  return second;
}

function eachRow(place: Bounds, part: Bounds, visit: (start: number, end: number) => void): void {
  const seen = intersect(place, part);
  if (seen === undefined) return;
  for (let y = seen.y - part.y; y < seen.y - part.y + seen.height; y += 1) {
    const start = y * part.width + seen.x - part.x;
    visit(start, start + seen.width);
  }
}
