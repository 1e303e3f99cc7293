import { isInOpenList } from "../find/hit.ts";
import { type Bounds, intersect } from "../model/bounds.ts";
import { type Element, listWithPaths } from "../model/element.ts";
import { findLargest, subtract } from "../model/region.ts";
import type { Layer } from "../platform/port.ts";

/** Where something may be seen at all: what lies over what, and what the monitors show. */
export interface Scenery {
  /** Front to back, those too that must not be looked at. */
  readonly layers: readonly Pick<Layer, "bounds" | "windowId" | "pid" | "opaque">[];
  readonly monitors: readonly Bounds[];
}

/** What belongs to a window: on it, or on a menu of its application. */
export interface Place {
  readonly windowId: number;
  readonly pid: number;
  readonly bounds: Bounds;
  readonly isInMenu: boolean;
}

/** Smaller than this nothing is recognised as a part of a control. */
const leastPx = 4;

/** The largest part of a place that nothing lies over; undefined where it is not in sight. */
export function findSeen(place: Place, { layers, monitors }: Scenery): Bounds | undefined {
  const at = findLayer(place, layers);
  const layer = layers[at];
  if (layer === undefined) return undefined;
  const covers = layers.slice(0, at).flatMap(({ opaque }) => opaque);
  const seen = monitors.flatMap((monitor) => {
    const shown = intersect(place.bounds, monitor);
    return shown === undefined ? [] : subtract(shown, covers);
  });
  const largest = findLargest(seen);
  if (largest === undefined) return undefined;
  const isSmall = largest.width < Math.min(leastPx, place.bounds.width);
  return isSmall || largest.height < Math.min(leastPx, place.bounds.height) ? undefined : largest;
}

function findLayer({ windowId, pid, bounds, isInMenu }: Place, layers: Scenery["layers"]): number {
  const own = layers.findIndex((layer) => layer.windowId === windowId);
  if (!isInMenu) return own;
  const isMenu = (layer: Scenery["layers"][number]): boolean =>
    layer.windowId === undefined && layer.pid === pid && intersect(layer.bounds, bounds) !== undefined;
  const menu = layers.findIndex(isMenu);
  return menu < 0 ? own : menu;
}

export function isWholeInSight(bounds: Bounds, seen: Bounds | undefined): boolean {
  return seen !== undefined && areaOf(seen) === areaOf(bounds);
}

function areaOf({ width, height }: Bounds): number {
  return width * height;
}

const menusByRoot = new WeakMap<Element, ReadonlySet<string>>();

/** What of a window is in an open menu or list of choices, by runtime id. */
export function listInMenus(root: Element): ReadonlySet<string> {
  const known = menusByRoot.get(root);
  if (known !== undefined) return known;
  const placed = listWithPaths(root).filter(({ element, ancestors }) => isInOpenList(element, ancestors));
  const found = new Set(placed.map(({ element }) => element.runtimeId));
  menusByRoot.set(root, found);
  return found;
}
