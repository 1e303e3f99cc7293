import { isInOpenList } from "../find/hit.ts";
import { areaOf, type Bounds, intersect } from "../model/bounds.ts";
import { type Element, listWithPaths } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import { findLargest, subtract } from "../model/region.ts";
import type { WindowRead } from "../model/snapshot.ts";
import type { LivePlatform, ScreenSurface } from "../platform/port.ts";

/** What is visible: the stacking of surfaces, and the monitors. */
export interface ScreenLayout {
  /** Front to back, including surfaces that must not be read. */
  readonly surfaces: readonly Pick<ScreenSurface, "bounds" | "windowId" | "pid" | "opaque">[];
  readonly monitors: readonly Bounds[];
}

/** A position in a window, or in a menu of its application. */
export interface Place {
  readonly windowId: number;
  readonly pid: number;
  readonly bounds: Bounds;
  readonly isInMenu: boolean;
}

/** A smaller part of a control is not recognisable. */
const leastPx = 4;

/** The largest uncovered part of a place; undefined if it is not visible. */
export function findVisiblePart(place: Place, { surfaces, monitors }: ScreenLayout): Bounds | undefined {
  const at = findSurface(place, surfaces);
  const surface = surfaces[at];
  if (surface === undefined) return undefined;
  const covers = surfaces.slice(0, at).flatMap(({ opaque }) => opaque);
  const seen = monitors.flatMap((monitor) => {
    const shown = intersect(place.bounds, monitor);
    return shown === undefined ? [] : subtract(shown, covers);
  });
  const largest = findLargest(seen);
  if (largest === undefined) return undefined;
  const isSmall = largest.width < Math.min(leastPx, place.bounds.width);
  return isSmall || largest.height < Math.min(leastPx, place.bounds.height) ? undefined : largest;
}

function findSurface({ windowId, pid, bounds, isInMenu }: Place, surfaces: ScreenLayout["surfaces"]): number {
  const own = surfaces.findIndex((surface) => surface.windowId === windowId);
  if (!isInMenu) return own;
  const isMenu = (surface: ScreenLayout["surfaces"][number]): boolean =>
    surface.windowId === undefined && surface.pid === pid && intersect(surface.bounds, bounds) !== undefined;
  const menu = surfaces.findIndex(isMenu);
  return menu < 0 ? own : menu;
}

export function isFullyVisible(bounds: Bounds, seen: Bounds | undefined): boolean {
  return seen !== undefined && areaOf(seen) === areaOf(bounds);
}

const menusByRoot = new WeakMap<Element, ReadonlySet<string>>();

/** Returns a function that finds the place of an element of the window; undefined without bounds. */
export function makePlaceFinder({ window, root }: Pick<WindowRead, "window" | "root">) {
  const menus = root && listMenuElements(root);
  return ({ bounds, handle }: Pick<Element, "bounds" | "handle">): Place | undefined =>
    bounds && { windowId: window.id, pid: window.pid, bounds, isInMenu: menus?.has(handle) === true };
}

function listMenuElements(root: Element): ReadonlySet<string> {
  const known = menusByRoot.get(root);
  if (known !== undefined) return known;
  const placed = listWithPaths(root).filter(({ element, ancestors }) => isInOpenList(element, ancestors));
  const found = new Set(placed.map(({ element }) => element.handle));
  menusByRoot.set(root, found);
  return found;
}

export async function readScreenLayout(platform: LivePlatform): Promise<Result<ScreenLayout>> {
  const [surfaces, list] = await Promise.all([platform.listSurfaces(), platform.listWindows()]);
  if (!surfaces.ok) return surfaces;
  if (!list.ok) return list;
  return succeed({ surfaces: surfaces.value, monitors: list.value.monitors.map(({ bounds }) => bounds) });
}
