import { type Desktop, recognise } from "../find/read.ts";
import type { Changes } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import { entryRoles, kindOfRole } from "../model/role.ts";
import { attachMarks, type MarkedElement } from "../model/view.ts";
import { type Comparison, compare, type Seen } from "./compare.ts";

/** An agent needs no more; a read shows everything. */
const maxListed = 30;
/** Of these, so many are kept for what changed and what is gone. */
const keptFor = { changed: 8, gone: 3 };
/** More than so many that left one place are told in one line. */
const maxGoneTogether = 3;
/** More than so many that became usable or unusable together are told in one line. */
const maxSwitchedApart = 3;

/**
 * What is different on the screen, as it is reported: with marks, and limited. What appeared comes first, a new
 * window and its buttons before all else, then what changed, then what is gone: an agent goes on with what is there.
 */
export function presentChanges({ marks }: Pick<Desktop, "marks">, before: Seen, after: Seen): Changes {
  // For a target out of view, hidden parts were read too. They are not what an agent would see.
  const comparison = compare(leaveOutHidden(before), leaveOutHidden(after));
  const { switched, others } = groupSwitched(comparison.changed);
  const news = others.toSorted((a, b) => Number(isFocusOnly(a)) - Number(isFocusOnly(b)));
  const departed = groupGone(lift(comparison.gone), before);
  const kept = Math.min(news.length, keptFor.changed) + Math.min(departed.length, keptFor.gone);
  const opened = new Set(comparison.openedWindows.map(({ id }) => id));
  const inNew = new Set(
    after.snapshot.windows
      .filter(({ window }) => opened.has(window.id))
      .flatMap(({ root }) => flatten(root?.children ?? []))
      .map(({ handle }) => handle),
  );
  const isInNew = ({ handle }: Element): boolean => inNew.has(handle);
  const all = lift(comparison.appeared).toSorted((a, b) => Number(isInNew(b)) - Number(isInNew(a)));
  const appeared = choose(all, maxListed - kept, isInNew);
  const shown = flatten(appeared).length;
  const gone = departed.slice(0, Math.max(keptFor.gone, maxListed - shown - news.length));
  const changed = news.slice(0, maxListed - shown - gone.length);
  const listed = [...flatten(appeared), ...[...changed, ...switched.flat()].map(({ element }) => element)];
  const wanted = new Set(listed.map(({ handle }) => handle));
  const numbers = recognise(marks, after.snapshot, wanted, true);
  const { openedWindows, closedWindows, changedWindows } = comparison;
  // What is gone keeps its former mark and gets no new one.
  const markFormer = (element: Element): MarkedElement => attachMarks({ ...element, children: [] }, before.numbers);
  const mark = ({ element, differences }: Comparison["changed"][number]): Changes["changed"][number] => ({
    element: attachMarks({ ...element, children: [] }, numbers),
    differences,
  });
  return {
    ...{ openedWindows, closedWindows, changedWindows },
    appeared: appeared.map((element) => attachMarks(element, numbers)),
    gone: gone.filter(({ count }) => count === 0).map(({ element }) => markFormer(element)),
    goneInside: gone
      .filter(({ count }) => count > 0)
      .map(({ element, count }) => ({ element: markFormer(element), count })),
    changed: changed.map(mark),
    switched: switched.map((group) => ({
      isDisabled: group.some(({ element }) => element.states.has("disabled")),
      changed: group.map(mark),
    })),
    leftOut: flatten(all).length - shown + news.length - changed.length + departed.length - gone.length,
  };
}

function leaveOutHidden({ snapshot, numbers }: Seen): Seen {
  if (!snapshot.includeHidden) return { snapshot, numbers };
  const prune = (element: Element): Element[] => {
    const children = element.children.flatMap(prune);
    return element.states.has("hidden") ? children : [{ ...element, children }];
  };
  const windows = snapshot.windows.map((read) => {
    return read.root === undefined
      ? read
      : { ...read, root: { ...read.root, children: read.root.children.flatMap(prune) } };
  });
  return { snapshot: { ...snapshot, windows }, numbers };
}

/** A dialog that opens, or a cell that is edited, switches whole tool bars off. */
function groupSwitched(changed: Comparison["changed"]): {
  switched: readonly Comparison["changed"][];
  others: Comparison["changed"];
} {
  const groups = Map.groupBy(changed.filter(isSwitch), ({ element }) => element.states.has("disabled"));
  const switched = [...groups.values()].filter(({ length }) => length > maxSwitchedApart);
  const told = new Set(switched.flat());
  return { switched, others: changed.filter((one) => !told.has(one)) };
}

function isSwitch({ differences }: Comparison["changed"][number]): boolean {
  const withoutIt = (states: string): string => states.replace(/\bdisabled\b/, "").trim();
  return differences.every(({ what, before, after }) => what === "states" && withoutIt(before) === withoutIt(after));
}

function isFocusOnly({ differences }: Comparison["changed"][number]): boolean {
  return differences.every(({ what }) => what === "focus");
}

/** Without boxes that have neither a name nor a value: their content takes their place. */
function lift(elements: readonly Element[]): Element[] {
  return elements.flatMap((element) => {
    const children = lift(element.children);
    return isBare(element) ? children : [{ ...element, children }];
  });
}

function isBare({ role, name, value }: Element): boolean {
  return name === "" && value === "" && kindOfRole(role) !== "control";
}

/** How much an element is worth to someone who goes on from here, the best first. */
const worth: readonly ((element: Element) => boolean)[] = [
  ({ role }) => role === "button",
  ({ role }) => kindOfRole(role) === "control" && !entryRoles.has(role),
  ({ role }) => entryRoles.has(role),
  ({ role }) => kindOfRole(role) === "text",
  () => true,
];

/** The most useful ones, those of new windows before all others; what was inside those left out takes their place. */
function choose(elements: readonly Element[], room: number, isInNew: (element: Element) => boolean): Element[] {
  const all = flatten(elements);
  if (all.length <= room) return [...elements];
  const rankOf = (element: Element): number =>
    worth.findIndex((isSuch) => isSuch(element)) + (isInNew(element) ? 0 : worth.length);
  const chosen = new Set(all.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, room));
  const prune = (list: readonly Element[]): Element[] =>
    list.flatMap((element) => {
      const children = prune(element.children);
      return chosen.has(element) ? [{ ...element, children }] : children;
    });
  return prune(elements);
}

interface Gone {
  readonly element: Element;
  /** How many elements inside it are gone; 0 if it is gone itself. */
  readonly count: number;
}

/** A menu that closes takes its entries along: one line tells it. */
function groupGone(gone: readonly Element[], { snapshot }: Seen): readonly Gone[] {
  const parents = new Map<string, Element>();
  for (const { root } of snapshot.windows) {
    for (const element of root === undefined ? [] : flatten([root])) {
      for (const child of element.children) parents.set(child.handle, element);
    }
  }
  const findHolder = (element: Element): Element | undefined => {
    let holder = parents.get(element.handle);
    while (holder !== undefined && isBare(holder)) holder = parents.get(holder.handle);
    return holder;
  };
  return [...Map.groupBy(gone, findHolder)].flatMap(([holder, own]) =>
    holder === undefined || own.length <= maxGoneTogether
      ? own.map((element) => ({ element, count: 0 }))
      : [{ element: holder, count: own.length }],
  );
}

/** Removes the values of fields. */
export function leaveOutValues(changes: Changes): Changes {
  const empty = (element: MarkedElement): MarkedElement => ({
    ...element,
    value: "",
    children: element.children.map(empty),
  });
  const emptyChange = ({ element, differences }: Changes["changed"][number]): Changes["changed"][number] => ({
    element: empty(element),
    differences: differences.filter(({ what }) => what !== "value" && what !== "name"),
  });
  return {
    ...changes,
    appeared: changes.appeared.map(empty),
    gone: changes.gone.map(empty),
    goneInside: changes.goneInside.map(({ element, count }) => ({ element: empty(element), count })),
    changed: changes.changed.map(emptyChange),
    switched: changes.switched.map((group) => ({ ...group, changed: group.changed.map(emptyChange) })),
  };
}
