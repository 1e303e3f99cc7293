import type { Ref } from "../model/ref.ts";
import { type Role, roles } from "../model/role.ts";
import { isInEntry } from "./evidence.ts";
import { foldName } from "./fold-name.ts";
import { isLastingId, listTelling } from "./lasting-id.ts";
import { isShown, listShown, type Shown, type Unplaced, windowKeyOf, windowOf } from "./newcomers.ts";
import { matchRebuilt } from "./rebuilt.ts";
import type { MapStore } from "./store/port.ts";

/**
 * Recognises controls that exact evidence led to no mark: renamed ones by their very object or by a lasting id, and those of
 * an application that was started again by all that they have in common. Only for a read that shows what it found: whoever
 * acts without looking is not led to words that nobody has seen. By runtime id.
 *
 * Each way leaves out what may as well be another control: everything in lists, look-alikes, and whatever stands where the
 * words of before are still to be seen elsewhere.
 */
export function matchChanged(
  store: MapStore,
  all: readonly Unplaced[],
  newcomers: readonly Unplaced[],
  marks: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const taken = new Set(marks.values());
  const shown = listShown(all);
  const found = new Map<string, number>();
  const take = (one: Unplaced, mark: number): void => {
    found.set(one.ref.runtimeId, mark);
    taken.add(mark);
  };
  const free = newcomers.filter(({ ref }) => !isInEntry(ref) && !isWindow(ref));
  for (const one of free) if (isSameById(store, one, shown, taken, all)) take(one, one.idMark ?? 0);
  const renamed = free.filter((one) => !found.has(one.ref.runtimeId) && isSameObject(store, one, shown, taken));
  for (const one of renamed) if (isAloneOrFormal(one, renamed, store)) take(one, one.objectMark ?? 0);
  const rest = free.filter(({ ref, objectMark }) => !found.has(ref.runtimeId) && objectMark === undefined);
  for (const [id, mark] of matchRebuilt(store, all, rest, new Map([...marks, ...found]))) found.set(id, mark);
  return found;
}

/** A window is known by what tells it from others, and by nothing else. */
function isWindow({ role, path }: Ref): boolean {
  return path.length === 0 && (role === "window" || role === "dialog");
}

function isSameById(
  store: MapStore,
  { ref, idMark, objectMark }: Unplaced,
  shown: Shown,
  taken: ReadonlySet<number>,
  all: readonly Unplaced[],
): boolean {
  if (idMark === undefined || taken.has(idMark) || !isLastingId(ref.platformId)) return false;
  if (objectMark !== undefined && objectMark !== idMark) return false;
  // The object that bore the mark is still there, as something else.
  if (all.some((other) => other.objectMark === idMark && other.ref !== ref)) return false;
  const before = store.findRef(idMark);
  if (before === undefined || before.role !== ref.role || before.platformId !== ref.platformId) return false;
  if (before.app !== ref.app || windowOf(before) !== windowOf(ref)) return false;
  const [former, path] = [listTelling(before.path), listTelling(ref.path)];
  if (former.length !== path.length) return false;
  const pairs = [[before.name, ref.name], ...former.map(({ name }, at) => [name, path[at]?.name])];
  const changed = pairs.filter(([old, now]) => old !== now).map(([old = ""]) => old);
  return changed.every((words) => words === "" || !isShown(shown, words, ref));
}

function isSameObject(
  store: MapStore,
  { ref, objectMark }: Unplaced,
  shown: Shown,
  taken: ReadonlySet<number>,
): boolean {
  if (objectMark === undefined || taken.has(objectMark) || ref.hasTwin || ref.name === "") return false;
  const before = store.findRef(objectMark);
  if (before === undefined || before.role !== ref.role || before.platformId !== ref.platformId) return false;
  if (before.hasTwin || before.name === "" || before.name === ref.name || isInEntry(before)) return false;
  const isSamePlace =
    before.app === ref.app &&
    before.path.length === ref.path.length &&
    before.path.every(({ role }, at) => role === ref.path[at]?.role);
  return isSamePlace && !isShown(shown, before.name, ref) && !hasOwnMark(store, ref, objectMark);
}

/** Whether another control of the same container is remembered by these words. */
function hasOwnMark(store: MapStore, ref: Ref, mark: number): boolean {
  return store
    .findMembers([ref])
    .some((member) => member.mark !== mark && foldName(member.ref.name) === foldName(ref.name));
}

/**
 * Whoever shows other things through the same objects changes several at once, or stands in a list or in boxes that are
 * repeated. A count in a label, or a dot behind it, may change anywhere.
 */
function isAloneOrFormal(one: Unplaced, renamed: readonly Unplaced[], store: MapStore): boolean {
  const { ref, objectMark } = one;
  const before = store.findRef(objectMark ?? 0);
  if (before !== undefined && foldName(before.name) === foldName(ref.name)) return true;
  if (repeatingRoles.has(ref.path.at(-1)?.role ?? "other")) return false;
  const inside = ref.path.findLastIndex(({ role }) => role === "web");
  if (inside >= 0 && ref.path.slice(inside + 1).some(({ count }) => count > 1)) return false;
  return renamed.every((other) => {
    return other === one || other.ref.role !== ref.role || windowKeyOf(other.ref) !== windowKeyOf(ref);
  });
}

const repeatingRoles: ReadonlySet<Role> = new Set(
  roles.filter((role) => ["menu", "list", "table", "tree", "tablist"].includes(role)),
);
