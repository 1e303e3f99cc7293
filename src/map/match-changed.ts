import type { Ref } from "../model/ref.ts";
import { isInEntry } from "./evidence.ts";
import { listRoles } from "./identify.ts";
import { isLastingId, listQualifyingSteps } from "./lasting-id.ts";
import { matchAfterRestart } from "./match-after-restart.ts";
import type { MapStore } from "./store/port.ts";
import { foldName, isNameVisible, listVisibleNames, type Unmatched, type VisibleNames, windowOf } from "./unmatched.ts";

/**
 * Recognises controls whose exact evidence leads to no mark: renamed ones by object or lasting id, and those of a
 * restarted application by everything they have in common with the remembered ones. Keyed by handle. Each method
 * skips whatever could be a different control: list entries, and after a restart look-alikes and controls whose former
 * name is visible elsewhere, where it was not before.
 */
export function matchChanged(
  store: MapStore,
  all: readonly Unmatched[],
  unmatched: readonly Unmatched[],
  marks: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const taken = new Set(marks.values());
  const visible = listVisibleNames(store, all);
  const found = new Map<string, number>();
  const take = (one: Unmatched, mark: number): void => {
    found.set(one.ref.handle, mark);
    taken.add(mark);
  };
  const free = unmatched.filter(({ ref }) => !isInEntry(ref) && !isWindow(ref));
  const unknown = all.filter(({ ref }) => !marks.has(ref.handle));
  for (const [one, mark] of findSameObjects(store, unknown, taken)) if (unmatched.includes(one)) take(one, mark);
  const others = free.filter(({ ref }) => !found.has(ref.handle));
  for (const one of others) if (isSameById(store, one, visible, taken, all)) take(one, one.idMark ?? 0);
  const rest = free.filter(({ ref, objectMark }) => !found.has(ref.handle) && objectMark === undefined);
  for (const [id, mark] of matchAfterRestart(store, all, rest, new Map([...marks, ...found]))) found.set(id, mark);
  return found;
}

/**
 * The controls that are known by their object though their words are other ones: as long as it lives, it is the same
 * control, even if another one has its former words now (two buttons that exchange their labels).
 */
export function findSameObjects(
  store: Pick<MapStore, "findRef">,
  all: readonly Unmatched[],
  taken: ReadonlySet<number>,
): ReadonlyMap<Unmatched, number> {
  const free = all.filter(({ ref, objectMark }) => {
    return objectMark !== undefined && !taken.has(objectMark) && !isInEntry(ref) && !isWindow(ref);
  });
  const claims = Map.groupBy(free, ({ objectMark }) => objectMark ?? 0);
  const found = new Map<Unmatched, number>();
  for (const [mark, claimants] of claims) {
    const [one, ...more] = claimants.filter((claimant) => isSameObject(store, claimant));
    if (one !== undefined && more.length === 0) found.set(one, mark);
  }
  return found;
}

/** Windows are identified by their names alone (`nameWindows`). */
function isWindow({ role, path }: Ref): boolean {
  return path.length === 0 && (role === "window" || role === "dialog");
}

function isSameById(
  store: MapStore,
  { ref, idMark, objectMark }: Unmatched,
  visible: VisibleNames,
  taken: ReadonlySet<number>,
  all: readonly Unmatched[],
): boolean {
  if (idMark === undefined || taken.has(idMark) || !isLastingId(ref.platformId)) return false;
  if (objectMark !== undefined && objectMark !== idMark) return false;
  // The object that had the mark still exists, as something else.
  if (all.some((other) => other.objectMark === idMark && other.ref !== ref)) return false;
  const before = store.findRef(idMark);
  if (before === undefined || before.role !== ref.role || before.platformId !== ref.platformId) return false;
  if (before.app !== ref.app || windowOf(before) !== windowOf(ref) || !isSamePage(before, ref)) return false;
  const [former, path] = [listQualifyingSteps(before.path), listQualifyingSteps(ref.path)];
  if (former.length !== path.length) return false;
  const pairs = [[before.name, ref.name], ...former.map(({ name }, at) => [name, path[at]?.name])];
  const changed = pairs.filter(([old, now]) => old !== now).map(([old = ""]) => old);
  return changed.every((words) => words === "" || !isNameVisible(visible, words, ref));
}

function isSameObject(store: Pick<MapStore, "findRef">, { ref, objectMark }: Unmatched): boolean {
  const before = store.findRef(objectMark ?? 0);
  if (before === undefined || before.role !== ref.role || isInEntry(before)) return false;
  // A script gives its page another address and title; a page that was loaded is another object.
  if (before.platformId !== ref.platformId && ref.role !== "web") return false;
  if (before.name === ref.name) return false;
  if (mayShowOthers(ref) && (ref.hasTwin || foldName(before.name) !== foldName(ref.name))) return false;
  // A box that shows another item may rename its controls, too. If it has look-alikes, the text beside them tells.
  const isOneOfMany = before.hasTwin || ref.hasTwin || isInRepeatedBox(ref);
  return (
    (ref.role === "tab" || before.owner === ref.owner || !isOneOfMany) &&
    before.app === ref.app &&
    isSamePage(before, ref) &&
    before.path.length === ref.path.length &&
    before.path.every(({ role }, at) => role === ref.path[at]?.role)
  );
}

/** Entries of a menu or list show other files or items through the same objects, and so do objects that are places. */
function mayShowOthers({ path, isPlace }: Ref): boolean {
  const around = path.at(-1)?.role ?? "other";
  return isPlace === true || (listRoles.has(around) && around !== "tablist");
}

/** Pages build long lists of plain boxes, and show other items in them when they are scrolled. */
function isInRepeatedBox({ path }: Ref): boolean {
  const page = path.findLastIndex(({ role }) => role === "web");
  return page >= 0 && path.slice(page + 1).some(({ count }) => count > 1);
}

/** Pages at other addresses are other pages, though their titles and ids may be the same. */
function isSamePage(before: Pick<Ref, "path">, now: Pick<Ref, "path">): boolean {
  const [former, page] = [before, now].map(({ path }) => path.findLast(({ role }) => role === "web")?.name);
  return former === page;
}
