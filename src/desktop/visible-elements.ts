import { selectElements } from "../find/filter.ts";
import { isInOpenList } from "../find/hit.ts";
import { type Desktop, findTaught, lookAt, type ReadOptions, recognise } from "../find/read.ts";
import { areaOf, type Bounds, containsBounds, intersect } from "../model/bounds.ts";
import { type Element, flatten, listWithPaths } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import { grow, subtract, unite } from "../model/region.ts";
import type { Role } from "../model/role.ts";
import type { WindowRead } from "../model/snapshot.ts";
import { attachMarks, type MarkedElement } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import type { ScreenSurface } from "../platform/port.ts";

export interface SeenQuery extends ReadOptions {
  readonly windows: readonly Window[];
  readonly all: readonly Window[];
  /** Only these roles; by default what can be acted on. */
  readonly roles?: ReadonlySet<Role> | undefined;
}

/** The content of a picture: a part of the screen, or a window without what covers it. */
interface Shown {
  readonly part: Bounds;
  readonly window?: Window | undefined;
  /** Windows that moved since they were read: their positions are no longer valid. */
  readonly moved: ReadonlySet<number>;
  readonly covered: readonly Bounds[];
}

/** An element that is visible in a picture, and its visible part in screen pixels. */
export interface SeenElement {
  readonly element: MarkedElement;
  readonly seen: Bounds;
}

/** A narrower visible part is not recognisable. */
const leastSeenPx = 4;

/** Only elements visible in the picture get marks, once it has been taken. */
export async function readForPicture(
  desktop: Desktop,
  query: SeenQuery,
): Promise<Result<{ markSeen(shown: Shown): readonly SeenElement[] }>> {
  const how = { includeHidden: false, timeoutMs: query.timeoutMs, vision: "off" } as const;
  const [snapshot, surfaces] = await Promise.all([
    lookAt(desktop.platform, query.windows, query.all, how),
    desktop.platform.listSurfaces(),
  ]);
  if (!snapshot.ok) return snapshot;
  if (!surfaces.ok) return surfaces;
  const choice = query.roles === undefined ? { isInteractive: true } : { roles: query.roles };
  return succeed({
    markSeen(shown) {
      const found = snapshot.value.windows.flatMap((read) => {
        if (read.root === undefined || shown.moved.has(read.window.id)) return [];
        const findVisiblePart = lookThrough(read, surfaces.value, shown);
        return flatten(selectElements(read.root, choice).elements).flatMap((element) => {
          const seen = findVisiblePart(element);
          return seen === undefined ? [] : [{ element, seen }];
        });
      });
      const wanted = new Set(found.map(({ element }) => element.handle));
      const numbers = recognise(desktop.marks, snapshot.value, wanted, true);
      const names = findTaught(desktop.marks, snapshot.value);
      return found.map(({ element, seen }) => {
        return { element: attachMarks({ ...element, children: [] }, numbers, names), seen };
      });
    },
  });
}

/** Returns a function that finds the visible part of an element of the window. */
function lookThrough(
  { window, root }: WindowRead,
  surfaces: readonly ScreenSurface[],
  { part, covered, window: only }: Shown,
): (element: Element) => Bounds | undefined {
  const popups = surfaces.filter(({ windowId, pid }) => windowId === undefined && pid === window.pid && pid !== 0);
  const inPopups = findInPopups(root, popups);
  const own = surfaces.find(({ windowId }) => windowId === window.id);
  if (only !== undefined) {
    // A picture of part of a pop-up shows only that; otherwise it shows the window without its pop-ups.
    const pictured = popups.find(({ bounds }) => containsBounds(bounds, part));
    return (element) =>
      inPopups.get(element.handle) === pictured ? findVisiblePart(element, part, covered) : undefined;
  }
  return (element) => {
    const surface = inPopups.get(element.handle) ?? own;
    const inFront = surface === undefined ? [] : surfaces.slice(0, surfaces.indexOf(surface));
    const within = intersect(part, surface?.bounds ?? window.bounds);
    return within && findVisiblePart(element, within, [...covered, ...inFront.flatMap(({ opaque }) => opaque)]);
  };
}

function findVisiblePart({ bounds, states }: Element, part: Bounds, hiding: readonly Bounds[]): Bounds | undefined {
  const inPart = bounds === undefined || states.has("hidden") ? undefined : intersect(bounds, part);
  if (bounds === undefined || inPart === undefined) return undefined;
  const [leastWidth, leastHeight] = [Math.min(leastSeenPx, bounds.width), Math.min(leastSeenPx, bounds.height)];
  const pieces = subtract(inPart, hiding).filter(({ width, height }) => width >= leastWidth && height >= leastHeight);
  return pieces.length === 0 ? undefined : pieces.reduce(unite);
}

/** The content of a pop-up fills it except for its border and shadow. */
const leastFilled = 0.8;

/**
 * The elements of a window that are drawn in its pop-ups, by handle. The tree does not say: entries of an open menu or
 * list are, else one box that fills the pop-up. Everything else at that place is below it.
 */
function findInPopups(root: Element | undefined, popups: readonly ScreenSurface[]): ReadonlyMap<string, ScreenSurface> {
  const found = new Map<string, ScreenSurface>();
  if (popups.length === 0) return found;
  const placed = listWithPaths(root);
  for (const popup of popups) {
    const inside = placed.filter(({ element }) => isIn(element.bounds, popup));
    const entries = inside.filter(({ element, ancestors }) => isInOpenList(element, ancestors));
    const box = inside.find(
      ({ element: { bounds } }) => bounds !== undefined && areaOf(bounds) >= leastFilled * areaOf(popup.bounds),
    );
    for (const { element } of entries.length > 0 ? entries : box === undefined ? [] : [box]) {
      for (const one of flatten([element])) found.set(one.handle, popup);
    }
  }
  return found;
}

function isIn(bounds: Bounds | undefined, popup: ScreenSurface): boolean {
  return bounds !== undefined && containsBounds(grow(popup.bounds, 2), bounds);
}
