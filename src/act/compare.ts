import { compareWindows, hasGaps, listDifferences } from "../changes/compare.ts";
import { fold } from "../find/fold.ts";
import type { Sight } from "../find/read.ts";
import type { Difference } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import type { WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";

/** Everything that was seen at one moment, with the marks that it had. */
export interface Seen {
  readonly sight: Sight;
  readonly numbers: ReadonlyMap<string, number>;
}

export interface ElementChange {
  /** As it is now. */
  readonly element: Element;
  readonly differences: readonly Difference[];
}

/** What is different between two looks, before anything is left out or marked. */
export interface Comparison {
  /** The outermost of what came and went, each folded as a read shows it. */
  readonly appeared: readonly Element[];
  readonly gone: readonly Element[];
  readonly changed: readonly ElementChange[];
  readonly openedWindows: readonly Window[];
  readonly closedWindows: readonly Window[];
  readonly changedWindows: readonly { readonly window: Window; readonly differences: readonly Difference[] }[];
}

/** Compares what both looks saw: windows, and within the windows that both could read, elements. */
export function compare(before: Seen, after: Seen): Comparison {
  const isWhole = findComparable(before, after);
  const [old, current] = [indexElements(before, isWhole), indexElements(after, isWhole)];
  const windows = compareWindows(before.sight.all, after.sight.all);
  const pairWith = makePairing(before, after, old, current);
  const isKnown = (element: Element): boolean => pairWith(element) !== undefined;
  const survivors = new Set(
    [...current.all.values()].flatMap((element) => {
      const previous = pairWith(element);
      return previous === undefined ? [] : [previous.handle];
    }),
  );
  return {
    appeared: findOutermost(current.shown, (element) => !isKnown(element)),
    gone: findOutermost(old.shown, (element) => !survivors.has(element.handle)),
    changed: [...current.all.values()].flatMap((element) => {
      const previous = pairWith(element);
      if (previous === undefined) return [];
      const isShown = current.told.has(element.handle) || old.told.has(previous.handle);
      const differences = isShown ? listDifferences(previous, element) : [];
      return differences.length === 0 ? [] : [{ element, differences }];
    }),
    openedWindows: windows.openedWindows,
    closedWindows: windows.closedWindows,
    changedWindows: windows.changedWindows,
  };
}

interface Index {
  readonly all: ReadonlyMap<string, Element>;
  /** As a read shows them, window by window. */
  readonly shown: readonly Element[];
  readonly told: ReadonlySet<string>;
}

/**
 * Which windows can be compared: those that both looks could read to the end, and those that have just opened. What could
 * not be read is not gone.
 */
function findComparable(before: Seen, after: Seen): (window: Window) => boolean {
  const reads = [before, after].map(
    ({ sight }) => new Map(sight.snapshot.windows.map((read) => [read.window.id, read])),
  );
  const old = new Set(before.sight.all.map(({ id }) => id));
  return ({ id }) => {
    const [then, now] = reads.map((byId) => byId.get(id));
    if (now === undefined || !isReadWhole(now)) return false;
    return then === undefined ? !old.has(id) : isReadWhole(then);
  };
}

/** Whether a window was read to the end, as far as it shows itself. */
export function isReadWhole({ root, notes }: WindowRead): boolean {
  return root !== undefined && !hasGaps(notes);
}

function indexElements({ sight }: Seen, isWhole: (window: Window) => boolean): Index {
  const roots = sight.snapshot.windows.flatMap(({ root, window }) =>
    root === undefined || !isWhole(window) ? [] : [root],
  );
  const shown = roots.flatMap((root) => root.children.flatMap(fold));
  return {
    all: new Map(flatten(roots).map((element) => [element.handle, element])),
    shown,
    told: new Set(flatten(shown).map(({ handle }) => handle)),
  };
}

/** What an element was: the same object; or, where the object is new, what bore its mark. */
function makePairing(before: Seen, after: Seen, old: Index, current: Index) {
  const byMark = new Map<number, Element>();
  for (const [handle, mark] of before.numbers) {
    const element = old.all.get(handle);
    if (element !== undefined && !current.all.has(handle)) byMark.set(mark, element);
  }
  return (element: Element): Element | undefined => {
    const same = old.all.get(element.handle);
    if (same !== undefined) return same;
    const mark = after.numbers.get(element.handle);
    return mark === undefined ? undefined : byMark.get(mark);
  };
}

function findOutermost(elements: readonly Element[], isWanted: (element: Element) => boolean): Element[] {
  return elements.flatMap((element) => (isWanted(element) ? [element] : findOutermost(element.children, isWanted)));
}
