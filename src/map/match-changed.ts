import type { Ref } from "../model/ref.ts";
import { isInEntry } from "./evidence.ts";
import { listRoles } from "./identify.ts";
import { isLastingId, listQualifyingSteps } from "./lasting-id.ts";
import { matchAfterRestart } from "./match-after-restart.ts";
import type { MapStore } from "./store/port.ts";
import {
  foldName,
  isNameVisible,
  listVisibleNames,
  type Unmatched,
  type VisibleNames,
  windowKeyOf,
  windowOf,
} from "./unmatched.ts";

/**
 * Recognises controls whose exact evidence leads to no mark: renamed ones by object or lasting id, and those of a
 * restarted application by everything they have in common with the remembered ones. Keyed by handle. Each method
 * skips whatever could be a different control: list entries, look-alikes, and controls whose former name is visible
 * elsewhere, where it was not before.
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
  for (const one of free) if (isSameById(store, one, visible, taken, all)) take(one, one.idMark ?? 0);
  const renamed = free.filter((one) => !found.has(one.ref.handle) && isSameObject(store, one, visible, taken));
  for (const one of renamed) if (isAloneOrFormal(one, renamed, store)) take(one, one.objectMark ?? 0);
  const rest = free.filter(({ ref, objectMark }) => !found.has(ref.handle) && objectMark === undefined);
  for (const [id, mark] of matchAfterRestart(store, all, rest, new Map([...marks, ...found]))) found.set(id, mark);
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

function isSameObject(
  store: MapStore,
  { ref, objectMark }: Unmatched,
  visible: VisibleNames,
  taken: ReadonlySet<number>,
): boolean {
  if (objectMark === undefined || taken.has(objectMark) || ref.twins > 0 || ref.name === "") return false;
  const before = store.findRef(objectMark);
  if (before === undefined || before.role !== ref.role || before.platformId !== ref.platformId) return false;
  if (before.twins > 0 || before.name === "" || before.name === ref.name || isInEntry(before)) return false;
  if ((before.hasTwin || ref.hasTwin) && foldName(before.name) !== foldName(ref.name)) return false;
  const isSamePlace =
    before.app === ref.app &&
    isSamePage(before, ref) &&
    before.path.length === ref.path.length &&
    before.path.every(({ role }, at) => role === ref.path[at]?.role);
  return isSamePlace && !isNameVisible(visible, before.name, ref) && !hasOwnMark(store, ref, objectMark);
}

/** Pages at other addresses are other pages, though their titles and ids may be the same. */
function isSamePage(before: Pick<Ref, "path">, now: Pick<Ref, "path">): boolean {
  const [former, page] = [before, now].map(({ path }) => path.findLast(({ role }) => role === "web")?.name);
  return former === page;
}

/** Whether another control of the same container is remembered under this name. */
function hasOwnMark(store: MapStore, ref: Ref, mark: number): boolean {
  return store
    .findMembers([ref])
    .some((one) => one.mark !== mark && one.ref.role === ref.role && foldName(one.ref.name) === foldName(ref.name));
}

/**
 * A view that reuses its objects for other content renames several at once, or repeats inside a list or a group. A
 * count in a label, or a trailing dot, may change anywhere.
 */
function isAloneOrFormal(one: Unmatched, renamed: readonly Unmatched[], store: MapStore): boolean {
  const { ref, objectMark } = one;
  const before = store.findRef(objectMark ?? 0);
  if (before !== undefined && foldName(before.name) === foldName(ref.name)) return true;
  if (listRoles.has(ref.path.at(-1)?.role ?? "other")) return false;
  const inside = ref.path.findLastIndex(({ role }) => role === "web");
  if (inside >= 0 && ref.path.slice(inside + 1).some(({ count }) => count > 1)) return false;
  return renamed.every((other) => {
    return other === one || other.ref.role !== ref.role || windowKeyOf(other.ref) !== windowKeyOf(ref);
  });
}
