import type { MapStore } from "../map/store/port.ts";
import type { Note, Snapshot, WindowRead } from "../model/snapshot.ts";
import type { WindowView } from "../model/view.ts";
import type { Window } from "../model/window.ts";

/** A client reads few windows, with few different queries. */
const maxKept = 16;
/** Far below a day, after which last-seen times must be updated. */
const maxAgeMs = 60 * 60_000;

interface Kept {
  readonly reads: readonly WindowRead[];
  readonly all: readonly Window[];
  readonly version: string;
  readonly atMs: number;
  readonly windows: readonly WindowView[];
}

const keptByMap = new WeakMap<MapStore, Map<string, Kept>>();

/**
 * Returns the views made earlier from the same objects if the map is unchanged: a live platform returns the same objects
 * as long as nothing changes. `query` is a key of everything else that matters. Equal results are the same object.
 */
export function knowAgain(marks: MapStore, snapshot: Snapshot, query: string, make: () => readonly WindowView[]) {
  const kept = keptByMap.get(marks) ?? new Map<string, Kept>();
  keptByMap.set(marks, kept);
  const { all } = snapshot;
  const known = kept.get(query);
  const isSame =
    known !== undefined &&
    snapshot.takenAtMs - known.atMs < maxAgeMs &&
    areSame(known.reads, snapshot.windows, isSameRead) &&
    areSame(known.all, all, isAlike) &&
    known.version === readVersions(marks);
  if (isSame) return known.windows;
  const windows = make();
  // Read after making the views: that may write to the map.
  const version = readVersions(marks);
  kept.delete(query);
  kept.set(query, { reads: snapshot.windows, all, version, atMs: snapshot.takenAtMs, windows });
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return windows;
}

/** Changes with every write of another process or of this one. */
function readVersions(marks: MapStore): string {
  return `${marks.readVersion()} ${marks.countOwnChanges()}`;
}

function isSameRead(a: WindowRead, b: WindowRead): boolean {
  return a === b || (a.root === b.root && a.appKey === b.appKey && isAlike(a.window, b.window) && hasSameNotes(a, b));
}

function hasSameNotes({ notes: a }: WindowRead, { notes: b }: WindowRead): boolean {
  return a === b || areSame(a, b, (one: Note, other: Note) => one.code === other.code && one.text === other.text);
}

function isAlike(a: Window, b: Window): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function areSame<T>(a: readonly T[], b: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  return a === b || (a.length === b.length && a.every((one, at) => isSame(one, b[at] ?? one)));
}
