import { compareWindows, hasGaps, listDifferences } from "../changes/compare.ts";
import { fold } from "../find/fold.ts";
import type { ChangesOf } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import { idOfContent, idOfPlace, listValueIds, pairChildren } from "../model/pair.ts";
import { entryRoles, kindOfRole } from "../model/role.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";

/** Everything read at one moment, with its marks. */
export interface Seen {
  readonly snapshot: Snapshot;
  readonly numbers: ReadonlyMap<string, number>;
}

/** What is different, in ids of `model/pair.ts`. All of them must be calm for it to be the effect of an action. */
export interface Part {
  /** What has changed. */
  readonly own: readonly string[];
  /** What it is part of: if that changes by itself, so may this. */
  readonly around: readonly string[];
}

/** What is different between two reads, before anything is left out or marked. */
export interface Comparison extends Omit<ChangesOf<Element>, "leftOut" | "goneInside" | "switched"> {
  /** By the handle of what appeared, is gone or changed: each part of it that is different. */
  readonly parts: ReadonlyMap<string, readonly Part[]>;
  /** The former handles of what changed and is another object now. */
  readonly formers: ReadonlyMap<string, string>;
}
export type ElementChange = Comparison["changed"][number];

/** Compares two reads: their windows, and the elements of the windows that both read completely. */
export function compare(before: Seen, after: Seen): Comparison {
  const isWhole = findComparable(before, after);
  const [old, current] = [indexElements(before, isWhole), indexElements(after, isWhole)];
  const replaced = pairPlaces(old, current);
  const pairWith = makePairing(before, after, old, current, replaced);
  const successors = new Map(
    [...current.all.values()].flatMap((element) => {
      const previous = pairWith(element);
      return previous === undefined ? [] : [[previous.handle, element.handle] as const];
    }),
  );
  const appeared = findOutermost(current.shown, (element) => pairWith(element) === undefined);
  const gone = findOutermost(old.shown, (element) => !successors.has(element.handle));
  const changes = [...current.all.values()].flatMap((element) => {
    const previous = pairWith(element);
    if (previous === undefined) return [];
    const isShown = current.told.has(element.handle) || old.told.has(previous.handle);
    const differences = isShown ? listDifferences(previous, element) : [];
    return differences.length === 0 ? [] : [{ element, previous, differences }];
  });
  const findNew = (element: Element): Place =>
    findPlace(element, current, (holder) => (pairWith(holder) === undefined ? undefined : holder.handle));
  const findOld = (element: Element): Place => findPlace(element, old, (holder) => successors.get(holder.handle));
  return {
    ...compareWindows(before.snapshot.all, after.snapshot.all),
    appeared,
    gone,
    changed: changes.map(({ element, differences }) => ({ element, differences })),
    parts: new Map<string, readonly Part[]>([
      ...appeared.map((element) => [element.handle, [moveOf(findNew(element))]] as const),
      ...gone.map((element) => [element.handle, [moveOf(findOld(element))]] as const),
      ...changes.map(({ element, previous }) => {
        const isMoved = element.handle !== previous.handle && !replaced.has(element.handle);
        return [element.handle, listParts(previous, element, findNew(element), isMoved)] as const;
      }),
    ]),
    formers: new Map(
      changes.flatMap(({ element: { handle }, previous }) => {
        return handle === previous.handle ? [] : [[handle, previous.handle] as const];
      }),
    ),
  };
}

/** Where an element is, in ids of the elements around it that are there in both reads. */
interface Place {
  /** Its place in the innermost one. */
  readonly place: readonly string[];
  /** What appears and disappears there. */
  readonly content: readonly string[];
  /** The text that includes its own, and the places of all around it: what comes and goes takes along what is in it. */
  readonly around: readonly string[];
}

function findPlace(
  element: Element,
  { parents, all }: Index,
  findHandle: (holder: Element) => string | undefined,
): Place {
  const places: string[] = [];
  const content: string[] = [];
  const text: string[] = [];
  const lists: string[] = [];
  for (let child = all.get(element.handle); child !== undefined; child = parents.get(child.handle)) {
    const holder = parents.get(child.handle);
    const handle = holder && findHandle(holder);
    if (holder === undefined || handle === undefined) continue;
    if (places.length === 0) content.push(idOfContent(handle));
    if (places.length === 0 && kindOfRole(holder.role) === "text") text.push(handle);
    places.push(idOfPlace(handle, holder.children.indexOf(child)));
    // A list that drops its entries may be read while one of them is only emptied.
    if (places.length > 1 && entryRoles.has(child.role)) lists.push(idOfContent(handle));
  }
  return { place: places.slice(0, 1), content, around: [...text, ...places.slice(1), ...lists] };
}

function moveOf({ place, content, around }: Place): Part {
  return { own: [...content, ...place], around };
}

/**
 * A text that is filled or emptied may be about to appear or disappear. A new object is known by the former one; if it is
 * in another place, that may have appeared.
 */
function listParts(
  before: Element,
  after: Element,
  { place, content, around }: Place,
  isMoved: boolean,
): readonly Part[] {
  const isFilled = (before.name + before.value === "") !== (after.name + after.value === "");
  const isNew = before.handle !== after.handle;
  const isOnlyValue = before.name === after.name && before.value !== after.value;
  const ids = isOnlyValue ? listValueIds(before.handle, before.value, after.value) : [before.handle];
  const also = [...(isNew ? place : []), ...(isFilled || isMoved ? content : [])];
  return ids.map((id) => ({ own: [id, ...also], around: isNew ? around : [...place, ...around] }));
}

interface Index {
  readonly all: ReadonlyMap<string, Element>;
  /** As a read shows them, window by window. */
  readonly shown: readonly Element[];
  readonly told: ReadonlySet<string>;
  readonly parents: ReadonlyMap<string, Element>;
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
  const shown = roots.flatMap((root) => root.children.flatMap((child) => fold(child)));
  const all = flatten(roots);
  return {
    all: new Map(all.map((element) => [element.handle, element])),
    parents: new Map(all.flatMap((element) => element.children.map((child) => [child.handle, element] as const))),
    shown,
    told: new Set(flatten(shown).map(({ handle }) => handle)),
  };
}

/** The former states of texts in whose place new objects show other words, by the new handles. */
function pairPlaces(old: Index, current: Index): ReadonlyMap<string, Element> {
  const pairs = new Map<string, Element>();
  for (const parent of current.all.values()) {
    const former = old.all.get(parent.handle) ?? pairs.get(parent.handle);
    if (former === undefined || former === parent) continue;
    for (const [child, previous] of pairChildren(former, parent)) {
      if (!old.all.has(child.handle) && !current.all.has(previous.handle)) pairs.set(child.handle, previous);
    }
  }
  return pairs;
}

/** Finds an element's former state: the same object or, if the object is new, the one in its place or with its mark. */
function makePairing(
  before: Seen,
  after: Seen,
  old: Index,
  current: Index,
  replaced: ReadonlyMap<string, Element>,
): (element: Element) => Element | undefined {
  const byMark = new Map<number, Element>();
  for (const [handle, mark] of before.numbers) {
    const element = old.all.get(handle);
    if (element !== undefined && !current.all.has(handle)) byMark.set(mark, element);
  }
  return ({ handle }) => {
    const mark = after.numbers.get(handle);
    return old.all.get(handle) ?? replaced.get(handle) ?? (mark === undefined ? undefined : byMark.get(mark));
  };
}

function findOutermost(elements: readonly Element[], isWanted: (element: Element) => boolean): Element[] {
  return elements.flatMap((element) => (isWanted(element) ? [element] : findOutermost(element.children, isWanted)));
}
