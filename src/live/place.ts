import type { MarkedElement } from "../model/view.ts";

/** One control of a window, where it is. */
export interface Spot {
  readonly element: MarkedElement;
  /** The mark of what it is in; 0 directly in the window. */
  readonly parent: number;
  /** Its number among all of the window, in reading order. */
  readonly index: number;
}

/** The controls of one window by their marks, in reading order. What has no mark cannot be spoken of: what is in it moves up. */
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

/** Those that come, in their order, after a sister that stays. */
export interface Placement {
  readonly mark: number;
  readonly parent: number;
  /** As ControlPlace.after. */
  readonly after: number | undefined;
  readonly isNew: boolean;
}

/**
 * What must be put into place to make the new order of the old one, as little as possible and in reading order: a control that
 * is in the same container, and in the same order with most of its sisters, stays where it is.
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

/** The longest part of a list whose indices only rise (patience sorting). */
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
