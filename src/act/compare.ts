import { compareWindows, hasGaps, listDifferences } from "../changes/compare.ts";
import { fold } from "../find/fold.ts";
import { type Desktop, recognise } from "../find/read.ts";
import type { Changes, ChangesOf } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import { attachMarks, type MarkedElement } from "../model/view.ts";
import type { Window } from "../model/window.ts";

/** Everything read at one moment, with its marks. */
export interface Seen {
  readonly snapshot: Snapshot;
  readonly numbers: ReadonlyMap<string, number>;
}

/** What is different between two reads, before anything is left out or marked. */
export type Comparison = Omit<ChangesOf<Element>, "leftOut">;
export type ElementChange = Comparison["changed"][number];

/** Compares two reads: their windows, and the elements of the windows that both read completely. */
export function compare(before: Seen, after: Seen): Comparison {
  const isWhole = findComparable(before, after);
  const [old, current] = [indexElements(before, isWhole), indexElements(after, isWhole)];
  const pairWith = makePairing(before, after, old, current);
  const isKnown = (element: Element): boolean => pairWith(element) !== undefined;
  const survivors = new Set(
    [...current.all.values()].flatMap((element) => {
      const previous = pairWith(element);
      return previous === undefined ? [] : [previous.handle];
    }),
  );
  return {
    ...compareWindows(before.snapshot.all, after.snapshot.all),
    appeared: findOutermost(current.shown, (element) => !isKnown(element)),
    gone: findOutermost(old.shown, (element) => !survivors.has(element.handle)),
    changed: [...current.all.values()].flatMap((element) => {
      const previous = pairWith(element);
      if (previous === undefined) return [];
      const isShown = current.told.has(element.handle) || old.told.has(previous.handle);
      const differences = isShown ? listDifferences(previous, element) : [];
      return differences.length === 0 ? [] : [{ element, differences }];
    }),
  };
}

interface Index {
  readonly all: ReadonlyMap<string, Element>;
  /** As a read shows them, window by window. */
  readonly shown: readonly Element[];
  readonly told: ReadonlySet<string>;
}

/** Windows can be compared if both reads are complete, or if they have just opened: what was not read is not gone. */
function findComparable(before: Seen, after: Seen): (window: Window) => boolean {
  const reads = [before, after].map(({ snapshot }) => new Map(snapshot.windows.map((read) => [read.window.id, read])));
  const old = new Set(before.snapshot.all.map(({ id }) => id));
  return ({ id }) => {
    const [then, now] = reads.map((byId) => byId.get(id));
    if (now === undefined || !isReadWhole(now)) return false;
    return then === undefined ? !old.has(id) : isReadWhole(then);
  };
}

export function isReadWhole({ root, notes }: WindowRead): boolean {
  return root !== undefined && !hasGaps(notes);
}

function indexElements({ snapshot }: Seen, isWhole: (window: Window) => boolean): Index {
  const roots = snapshot.windows.flatMap(({ root, window }) => (root === undefined || !isWhole(window) ? [] : [root]));
  const shown = roots.flatMap((root) => root.children.flatMap(fold));
  return {
    all: new Map(flatten(roots).map((element) => [element.handle, element])),
    shown,
    told: new Set(flatten(shown).map(({ handle }) => handle)),
  };
}

/** Finds an element's former state: the same object or, if the object is new, the one with its mark. */
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

/** An agent needs no more; a read shows everything. */
const maxListed = 25;

/** A comparison as it is reported: limited, and with marks. */
export function presentChanges(
  { marks }: Pick<Desktop, "marks">,
  comparison: Comparison,
  before: Seen,
  after: Seen,
): Changes {
  const room = makeRoom(maxListed);
  const changed = comparison.changed.filter(() => room.take());
  const gone = comparison.gone.filter(() => room.take());
  const appeared = comparison.appeared.flatMap((element) => cutTree(element, room));
  const wanted = new Set([...flatten(appeared), ...changed.map(({ element }) => element)].map((one) => one.handle));
  const numbers = recognise(marks, after.snapshot, wanted, true);
  return {
    ...comparison,
    appeared: appeared.map((element) => attachMarks(element, numbers)),
    // What is gone keeps its former mark and gets no new one.
    gone: gone.map((element) => attachMarks({ ...element, children: [] }, before.numbers)),
    changed: changed.map(({ element, differences }) => ({
      element: attachMarks({ ...element, children: [] }, numbers),
      differences,
    })),
    leftOut: room.refused(),
  };
}

function makeRoom(size: number) {
  let left = size;
  let refused = 0;
  return {
    take: (): boolean => {
      if (left === 0) refused += 1;
      else left -= 1;
      return left > 0 || refused === 0;
    },
    refused: () => refused,
  };
}

function cutTree(element: Element, room: ReturnType<typeof makeRoom>): Element[] {
  if (!room.take()) return [];
  return [{ ...element, children: element.children.flatMap((child) => cutTree(child, room)) }];
}

/** Removes the values of fields. */
export function leaveOutValues(changes: Changes): Changes {
  const empty = (element: MarkedElement): MarkedElement => ({
    ...element,
    value: "",
    children: element.children.map(empty),
  });
  return {
    ...changes,
    appeared: changes.appeared.map(empty),
    gone: changes.gone.map(empty),
    changed: changes.changed.map(({ element, differences }) => ({
      element: empty(element),
      differences: differences.filter(({ what }) => what !== "value" && what !== "name"),
    })),
  };
}
