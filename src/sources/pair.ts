import { areaOf, type Bounds, intersect } from "../model/bounds.ts";

/** How well two items match. A lower rank is stronger evidence; within a rank the closer pair wins. */
export interface PairScore {
  readonly rank: number;
  readonly closeness: number;
}

/** Pairs the items of two lists greedily, best score first; returns indexes. Each item is in at most one pair. */
export function pairUp<A, B>(
  ones: readonly A[],
  others: readonly B[],
  judge: (one: A, other: B) => PairScore | undefined,
): ReadonlyMap<number, number> {
  const scores = ones.flatMap((one, at) =>
    others.flatMap((other, otherAt) => {
      const score = judge(one, other);
      return score === undefined ? [] : [{ ...score, at, otherAt }];
    }),
  );
  scores.sort((a, b) => a.rank - b.rank || b.closeness - a.closeness || a.at - b.at || a.otherAt - b.otherAt);
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const { at, otherAt } of scores) {
    if (pairs.has(at) || taken.has(otherAt)) continue;
    pairs.set(at, otherAt);
    taken.add(otherAt);
  }
  return pairs;
}

/** Sorts items independently of their given order; items that serialise equally are interchangeable. */
export function sortByContent<T>(things: readonly T[]): T[] {
  const keyed = things.map((thing) => ({ thing, key: JSON.stringify(thing) }));
  keyed.sort((a, b) => compareKeys(a.key, b.key));
  return keyed.map(({ thing }) => thing);
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export function shareInside(inner: Bounds, outer: Bounds): number {
  const common = intersect(inner, outer);
  return common === undefined ? 0 : areaOf(common) / areaOf(inner);
}

/** Intersection over union. */
export function compareAreas(one: Bounds, other: Bounds): number {
  const common = intersect(one, other);
  if (common === undefined) return 0;
  return areaOf(common) / (areaOf(one) + areaOf(other) - areaOf(common));
}

/** The distance between the edges; 0 where they touch. */
export function measureGap(one: Bounds, other: Bounds): number {
  const dx = Math.max(0, one.x - (other.x + other.width), other.x - (one.x + one.width));
  const dy = Math.max(0, one.y - (other.y + other.height), other.y - (one.y + one.height));
  return Math.hypot(dx, dy);
}
