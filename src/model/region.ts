import { areaOf, type Bounds, intersect } from "./bounds.ts";

/** A rectangle minus others, as disjoint rectangles. */
export function subtract(whole: Bounds, holes: readonly Bounds[]): Bounds[] {
  let left: Bounds[] = [whole];
  for (const hole of holes) {
    left = left.flatMap((piece) => cutOut(piece, hole));
    if (left.length === 0) break;
  }
  return left;
}

function cutOut(piece: Bounds, hole: Bounds): Bounds[] {
  const shared = intersect(piece, hole);
  if (shared === undefined) return [piece];
  const { x, y, width } = piece;
  const [right, bottom] = [x + width, y + piece.height];
  const [sharedRight, sharedBottom] = [shared.x + shared.width, shared.y + shared.height];
  return [
    { x, y, width, height: shared.y - y },
    { x, y: shared.y, width: shared.x - x, height: shared.height },
    { x: sharedRight, y: shared.y, width: right - sharedRight, height: shared.height },
    { x, y: sharedBottom, width, height: bottom - sharedBottom },
  ].filter((one) => one.width > 0 && one.height > 0);
}

export function findLargest(pieces: readonly Bounds[]): Bounds | undefined {
  return pieces.toSorted((one, other) => areaOf(other) - areaOf(one))[0];
}

export function grow({ x, y, width, height }: Bounds, by: number): Bounds {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

export function unite(one: Bounds, other: Bounds): Bounds {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(one.x + one.width, other.x + other.width);
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}
