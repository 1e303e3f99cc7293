import type { MarkedElement } from "../model/view.ts";

/** A control of a window and its position. */
export interface Spot {
  readonly element: MarkedElement;
  /** The mark of its parent; 0 directly in the window. */
  readonly parent: number;
  readonly index: number;
}

/** The controls of a window by mark, in reading order. The children of elements without a mark move up. */
export function listSpots(elements: readonly MarkedElement[]): Map<number, Spot> {
  const spots = new Map<number, Spot>();
  const visit = (element: MarkedElement, parent: number): void => {
    const { mark } = element;
    const isNameable = mark !== 0 && !spots.has(mark);
    if (isNameable) spots.set(mark, { element, parent, index: spots.size });
    for (const child of element.children) visit(child, isNameable ? mark : parent);
  };
  for (const element of elements) visit(element, 0);
  return spots;
}

/** A control to insert, in order, after a sibling that stays. */
export interface Placement {
  readonly mark: number;
  readonly parent: number;
  readonly after: number | undefined;
  readonly isNew: boolean;
}

/**
 * The minimal list of insertions that turns the old order into the new one, in reading order: controls in the same
 * container and in the same order as most of their siblings stay.
 */
export function listPlacements(old: ReadonlyMap<number, Spot>, current: ReadonlyMap<number, Spot>): Placement[] {
  const families = Map.groupBy(current.keys(), (mark) => current.get(mark)?.parent ?? 0);
  const staying = new Set<number>();
  for (const [parent, marks] of families) {
    const kept = marks.flatMap((mark) => {
      const spot = old.get(mark);
      return spot?.parent === parent ? [{ mark, index: spot.index }] : [];
    });
    for (const { mark } of keepLongestRising(kept)) staying.add(mark);
  }
  const afters = new Map<number, number | undefined>();
  for (const marks of families.values()) {
    const lastStaying = marks.findLastIndex((mark) => staying.has(mark));
    for (const [index, mark] of marks.entries()) {
      afters.set(mark, index > lastStaying ? undefined : (marks[index - 1] ?? 0));
    }
  }
  return [...current].flatMap(([mark, { parent }]) =>
    staying.has(mark) ? [] : [{ mark, parent, after: afters.get(mark), isNew: !old.has(mark) }],
  );
}

interface Ranked {
  readonly mark: number;
  readonly index: number;
}

/** The longest increasing subsequence (patience sorting). */
function keepLongestRising(list: readonly Ranked[]): Ranked[] {
  const piles: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, { index }] of list.entries()) {
    const pile = findPile(list, piles, index);
    before[at] = piles[pile - 1];
    piles[pile] = at;
  }
  const longest: Ranked[] = [];
  for (let at = piles.at(-1); at !== undefined; at = before[at]) {
    const one = list[at];
    if (one !== undefined) longest.push(one);
  }
  return longest.reverse();
}

function findPile(list: readonly Ranked[], piles: readonly number[], index: number): number {
  let [low, high] = [0, piles.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const top = list[piles[middle] ?? 0];
    if (top !== undefined && top.index < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
