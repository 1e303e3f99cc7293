import { knowChosen } from "../desktop/index.ts";
import { type Desktop, lookAt, withMap } from "../find/read.ts";
import { type Bounds, intersect } from "../model/bounds.ts";
import { flatten } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { MarkedElement } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import { findVisiblePart, makePlaceFinder, type ScreenLayout } from "./visibility.ts";

export interface InRegion {
  readonly window: Window;
  readonly element: MarkedElement;
}

/** The visible controls in a part of the screen, frontmost windows first. */
export function listInRegion(
  desktop: Desktop,
  layout: ScreenLayout,
  region: Bounds,
  timeoutMs: number,
): Promise<Result<readonly InRegion[]>> {
  return withMap(async () => {
    const list = await desktop.platform.listWindows();
    if (!list.ok) return list;
    const inPart = list.value.windows.filter(
      ({ state, bounds }) => !state.includes("minimised") && intersect(bounds, region) !== undefined,
    );
    // A menu may extend beyond its window.
    const pids = new Set([...inPart.map(({ pid }) => pid), ...listMenuOwners(layout, region)]);
    const windows = list.value.windows.filter(({ pid, state }) => pids.has(pid) && !state.includes("minimised"));
    if (windows.length === 0) return succeed([]);
    const snapshot = await lookAt(desktop.platform, windows, list.value.windows, {
      includeHidden: false,
      timeoutMs,
      vision: "off",
    });
    if (!snapshot.ok) return snapshot;
    const query = { bbox: region, isInteractive: true, includeHidden: false, timeoutMs };
    const roots = new Map(snapshot.value.windows.map(({ window, root }) => [window.id, root]));
    const { windows: views } = knowChosen(desktop.marks, snapshot.value, query);
    return succeed(
      views.flatMap(({ window, elements }) => {
        const placeOf = makePlaceFinder({ window, root: roots.get(window.id) });
        const isSeen = (element: MarkedElement): boolean => {
          const place = element.mark === 0 ? undefined : placeOf(element);
          const seen = place && findVisiblePart(place, layout);
          return seen !== undefined && intersect(seen, region) !== undefined;
        };
        return flatten(elements)
          .filter(isSeen)
          .map((element) => ({ window, element }));
      }),
    );
  });
}

function listMenuOwners({ surfaces }: ScreenLayout, region: Bounds): readonly number[] {
  return surfaces
    .filter(
      ({ windowId, pid, bounds }) => windowId === undefined && pid !== 0 && intersect(bounds, region) !== undefined,
    )
    .map(({ pid }) => pid);
}
