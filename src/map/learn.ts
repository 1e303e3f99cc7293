import type { Bounds, Point } from "../model/bounds.ts";
import { toLocal } from "../model/coordinates.ts";
import { type Element, flatten, listWithPaths } from "../model/element.ts";
import { hashText } from "../model/hash.ts";
import type { Ref } from "../model/ref.ts";
import type { WindowRead } from "../model/snapshot.ts";
import { lifeOf } from "./evidence.ts";
import type { MapStore, PlaceState, SeenPlace } from "./store/port.ts";
import { writePlace } from "./store/rows.ts";

/** A window that was read, and everything in it as a ref. */
export interface DescribedWindow {
  readonly read: WindowRead;
  readonly refs: readonly Ref[];
}

/**
 * Learns from one look at windows: what is where it was, what has moved, what is gone. A look is one state of one container;
 * as long as it stays the same, however often it is seen, nothing is written.
 */
export function learnLook(
  store: MapStore,
  windows: readonly DescribedWindow[],
  numbers: ReadonlyMap<string, number>,
): void {
  const seen = windows.map(({ read, refs }) => ({ read, refs, places: listPlaces(read, refs, numbers) }));
  const known = store.findPlaces(seen.flatMap(({ places }) => places.map(({ key }) => key)));
  for (const { read, refs, places } of seen) {
    // What was not told may be there all the same.
    if (read.notes.some(({ code }) => code !== "NO_TREE")) continue;
    const changed = places.filter(({ key, state }) => known.get(key)?.state !== state);
    touch(store, refs, places, known);
    if (changed.length === 0 || refs[0] === undefined) continue;
    const { app, windows: names } = refs[0];
    const unchanged = places.filter((place) => !changed.includes(place));
    const unchangedCount = unchanged.reduce((sum, { refs: own }) => sum + own.length, 0);
    const look = { app, window: names.at(-1) ?? "", unchangedCount, places: describePlaces(read, changed, numbers) };
    store.inTransaction(() => store.noteLook(look));
  }
}

/** What stays as it is is written once a day, so that what is seen daily is not taken for forgotten. */
const touchMs = 86_400_000;

function touch(
  store: MapStore,
  refs: readonly Ref[],
  places: readonly Place[],
  known: ReadonlyMap<string, PlaceState>,
): void {
  const now = Date.now();
  const isLongAgo = ({ key, state }: Place): boolean => {
    const before = known.get(key);
    return before?.state === state && now - before.lastSeenMs > touchMs;
  };
  const keys = places.filter(isLongAgo).map(({ key }) => key);
  if (keys.length === 0) return;
  store.touchPlaces(keys, [...new Set(refs.map(lifeOf))].map(hashText));
}

interface Place {
  readonly key: string;
  readonly state: string;
  /** What is in it and has a mark. */
  readonly refs: readonly Ref[];
}

/** Without what is hidden: whether that is told at all depends on who asks. */
function listPlaces({ root }: WindowRead, refs: readonly Ref[], numbers: ReadonlyMap<string, number>): Place[] {
  const shown = flatten(root === undefined ? [] : [root]).filter(({ states }) => !states.has("hidden"));
  const ids = new Set(shown.map(({ runtimeId }) => runtimeId).filter((id) => numbers.has(id)));
  const marked = refs.filter(({ runtimeId }) => ids.has(runtimeId));
  // Sisters share the very list of their containers; another list may say the same.
  const groups = Map.groupBy(marked, ({ path }) => path);
  const places = new Map<string, Ref[]>();
  for (const own of groups.values()) {
    const key = own[0] === undefined ? "" : writePlace(own[0]).key;
    places.set(key, [...(places.get(key) ?? []), ...own]);
  }
  return [...places].map(([key, own]) => ({ key, refs: own, state: hashState(own, numbers) }));
}

function hashState(refs: readonly Ref[], numbers: ReadonlyMap<string, number>): string {
  const parts = refs.map(({ runtimeId, bounds }) => `${numbers.get(runtimeId)}:${showBounds(bounds)}`);
  return hashText(parts.sort().join(" "));
}

function showBounds(bounds: Bounds | undefined): string {
  return bounds === undefined ? "" : `${bounds.x},${bounds.y},${bounds.width},${bounds.height}`;
}

function describePlaces(read: WindowRead, places: readonly Place[], numbers: ReadonlyMap<string, number>): SeenPlace[] {
  const placed = new Map(listWithPaths(read.root).map((one) => [one.element.runtimeId, one]));
  return places.map(({ key, state, refs }) => ({
    key,
    state,
    ref: refs[0] ?? { app: read.appKey, windows: [], path: [] },
    members: refs.map(({ runtimeId, bounds }) => ({
      mark: numbers.get(runtimeId) ?? 0,
      bounds,
      clickPoint: withinWindow(placed.get(runtimeId)?.element.clickPoint, read),
      parent: findParent(placed.get(runtimeId)?.ancestors ?? [], numbers),
      source: "a11y" as const,
    })),
  }));
}

function withinWindow(point: Point | undefined, { window }: WindowRead): Point | undefined {
  return point && toLocal(point, window.bounds);
}

function findParent(ancestors: readonly Element[], numbers: ReadonlyMap<string, number>): number | undefined {
  const parent = ancestors.findLast(({ runtimeId }) => numbers.has(runtimeId));
  return parent && numbers.get(parent.runtimeId);
}
