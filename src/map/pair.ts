import { type Bounds, intersect } from "../model/bounds.ts";

/** How well two things go together. A lower rank is stronger evidence; within a rank the closer pair comes first. */
export interface Bond {
  readonly rank: number;
  readonly closeness: number;
}

/** Pairs of places in two lists, best bond first: what is in a pair is in no other. */
export function pairUp<A, B>(
  ones: readonly A[],
  others: readonly B[],
  judge: (one: A, other: B) => Bond | undefined,
): ReadonlyMap<number, number> {
  const bonds = ones.flatMap((one, at) =>
    others.flatMap((other, otherAt) => {
      const bond = judge(one, other);
      return bond === undefined ? [] : [{ ...bond, at, otherAt }];
    }),
  );
  bonds.sort((a, b) => a.rank - b.rank || b.closeness - a.closeness || a.at - b.at || a.otherAt - b.otherAt);
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  for (const { at, otherAt } of bonds) {
    if (pairs.has(at) || taken.has(otherAt)) continue;
    pairs.set(at, otherAt);
    taken.add(otherAt);
  }
  return pairs;
}

/** The same whatever order they came in; what cannot be told apart may change places. */
export function putInOrder<T>(things: readonly T[]): T[] {
  const keyed = things.map((thing) => ({ thing, key: JSON.stringify(thing) }));
  keyed.sort((a, b) => compareKeys(a.key, b.key));
  return keyed.map(({ thing }) => thing);
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The share of `inner` that lies in `outer`. */
export function shareInside(inner: Bounds, outer: Bounds): number {
  const common = intersect(inner, outer);
  return common === undefined ? 0 : areaOf(common) / areaOf(inner);
}

/** What two places have in common, of what they take up together. */
export function compareAreas(one: Bounds, other: Bounds): number {
  const common = intersect(one, other);
  if (common === undefined) return 0;
  return areaOf(common) / (areaOf(one) + areaOf(other) - areaOf(common));
}

/** How far it is from the edge of one to the edge of the other; 0 where they touch. */
export function measureGap(one: Bounds, other: Bounds): number {
  const dx = Math.max(0, one.x - (other.x + other.width), other.x - (one.x + one.width));
  const dy = Math.max(0, one.y - (other.y + other.height), other.y - (one.y + one.height));
  return Math.hypot(dx, dy);
}

export function areaOf({ width, height }: Bounds): number {
  return width * height;
}
