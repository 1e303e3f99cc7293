import type { Bounds } from "../model/bounds.ts";
import { toLocal } from "../model/coordinates.ts";
import { type Element, flatten, listWithPaths } from "../model/element.ts";
import { hashText } from "../model/hash.ts";
import type { Ref } from "../model/ref.ts";
import type { WindowRead } from "../model/snapshot.ts";
import type { ContainerState, MapStore, SeenContainer } from "./store/port.ts";
import { toContainerRow } from "./store/rows.ts";

export interface DescribedWindow {
  readonly read: WindowRead;
  readonly refs: readonly Ref[];
}

/**
 * Learns from a read what stayed, moved or disappeared. Only containers whose state changed are written, so repeated
 * reads of a still window write nothing.
 */
export function learnFromRead(
  store: MapStore,
  windows: readonly DescribedWindow[],
  numbers: ReadonlyMap<string, number>,
): void {
  const described = windows.map(({ read, refs }) => ({ read, refs, places: listPlaces(read, refs, numbers) }));
  const known = store.findContainers(described.flatMap(({ places }) => places.map(({ key }) => key)));
  for (const { read, refs, places } of described) {
    // A partial read cannot tell what is missing.
    if (read.notes.some(({ code }) => code !== "NO_TREE" && code !== "UNTOLD")) continue;
    const changed = places.filter(({ key, state }) => known.get(key)?.state !== state);
    touch(store, refs, places, known);
    if (changed.length === 0 || refs[0] === undefined) continue;
    const { app, windows: names } = refs[0];
    const unchanged = places.filter((place) => !changed.includes(place));
    const unchangedCount = unchanged.reduce((sum, { refs: own }) => sum + own.length, 0);
    const seen = { app, window: names.at(-1) ?? "", unchangedCount, places: describePlaces(read, changed, numbers) };
    store.inTransaction(() => store.recordSeen(seen));
  }
}

/** Unchanged containers get a new last-seen time once a day, so that controls seen daily do not look forgotten. */
const touchMs = 86_400_000;

function touch(
  store: MapStore,
  refs: readonly Ref[],
  places: readonly Container[],
  known: ReadonlyMap<string, ContainerState>,
): void {
  const now = Date.now();
  const isLongAgo = ({ key, state }: Container): boolean => {
    const before = known.get(key);
    return before?.state === state && now - before.lastSeenMs > touchMs;
  };
  const keys = places.filter(isLongAgo).map(({ key }) => key);
  if (keys.length === 0) return;
  store.touchContainers(keys, [...new Set(refs.map(({ life }) => life))].map(hashText));
}

interface Container {
  readonly key: string;
  readonly state: string;
  readonly refs: readonly Ref[];
}

/** Hidden elements are left out: not every read includes them. */
function listPlaces({ root }: WindowRead, refs: readonly Ref[], numbers: ReadonlyMap<string, number>): Container[] {
  const shown = flatten(root === undefined ? [] : [root]).filter(({ states }) => !states.has("hidden"));
  const ids = new Set(shown.map(({ handle }) => handle).filter((id) => numbers.has(id)));
  const marked = refs.filter(({ handle }) => ids.has(handle));
  // Siblings share the same `path` array; two arrays may still be equal.
  const groups = Map.groupBy(marked, ({ path }) => path);
  const places = new Map<string, Ref[]>();
  for (const own of groups.values()) {
    const key = own[0] === undefined ? "" : toContainerRow(own[0]).key;
    places.set(key, [...(places.get(key) ?? []), ...own]);
  }
  return [...places].map(([key, own]) => ({ key, refs: own, state: hashState(own, numbers) }));
}

function hashState(refs: readonly Ref[], numbers: ReadonlyMap<string, number>): string {
  const parts = refs.map(({ handle, bounds }) => `${numbers.get(handle)}:${showBounds(bounds)}`);
  return hashText(parts.sort().join(" "));
}

function showBounds(bounds: Bounds | undefined): string {
  return bounds === undefined ? "" : `${bounds.x},${bounds.y},${bounds.width},${bounds.height}`;
}

function describePlaces(
  read: WindowRead,
  places: readonly Container[],
  numbers: ReadonlyMap<string, number>,
): SeenContainer[] {
  const placed = new Map(listWithPaths(read.root).map((one) => [one.element.handle, one]));
  return places.map(({ key, state, refs }) => ({
    key,
    state,
    ref: refs[0] ?? { app: read.appKey, windows: [], path: [] },
    members: refs.map(({ handle, bounds }) => {
      const { element, ancestors = [] } = placed.get(handle) ?? {};
      return {
        mark: numbers.get(handle) ?? 0,
        bounds,
        clickPoint: element?.clickPoint && toLocal(element.clickPoint, read.window.bounds),
        parent: findParent(ancestors, numbers),
        source: element?.source ?? "a11y",
        certainty: element?.certainty,
      };
    }),
  }));
}

function findParent(ancestors: readonly Element[], numbers: ReadonlyMap<string, number>): number | undefined {
  const parent = ancestors.findLast(({ handle }) => numbers.has(handle));
  return parent && numbers.get(parent.handle);
}
