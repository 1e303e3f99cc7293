import { listDifferences } from "../changes/compare.ts";
import type { ChangedControl, ChangeLine, ControlAspect } from "../model/change-line.ts";
import { flatten } from "../model/element.ts";
import { type State, shownStates } from "../model/state.ts";
import type { MarkedElement, WindowView } from "../model/view.ts";
import { listPlacements, listSpots, type Spot } from "./place.ts";

export interface CompareOptions {
  /** Also compare positions, relative to the window: a window that moves is one line. */
  readonly withPlaces: boolean;
}

/** Compares two views of a window; controls are identified by their marks. */
export function compareContents(before: WindowView, after: WindowView, options: CompareOptions): ChangeLine[] {
  if (before.elements === after.elements && !options.withPlaces) return [];
  const [old, current] = [listSpots(before.elements), listSpots(after.elements)];
  const { id: window } = after.window;
  return [
    ...listPlacementLines(old, current, window, options),
    ...listGoneLines(old, current, window),
    ...listChangedLines(before, after, old, current, options),
    ...listFocusLines(before, after),
  ];
}

/** Identification only. */
function nameControl({ mark, role, name }: MarkedElement, window: number): ChangedControl {
  return { id: mark, role, name, window };
}

/** Everything a read shows. */
function describeControl(element: MarkedElement, window: number, { withPlaces }: CompareOptions): ChangedControl {
  const { taught, value } = element;
  const states = listStates(element);
  return {
    ...nameControl(element, window),
    ...(taught === undefined ? {} : { taught }),
    ...(value === "" ? {} : { value }),
    ...(states.length === 0 ? {} : { states }),
    ...(withPlaces ? boundsOf(element) : {}),
  };
}

function listStates({ states }: MarkedElement): State[] {
  return shownStates.filter((state) => state !== "focused" && states.has(state));
}

function boundsOf({ bounds }: MarkedElement): Pick<ChangedControl, "bounds"> {
  return bounds === undefined ? {} : { bounds: [bounds.x, bounds.y, bounds.width, bounds.height] };
}

function listPlacementLines(
  old: ReadonlyMap<number, Spot>,
  current: ReadonlyMap<number, Spot>,
  window: number,
  options: CompareOptions,
): ChangeLine[] {
  return listPlacements(old, current).flatMap(({ mark, parent, after, isNew }): ChangeLine[] => {
    const element = current.get(mark)?.element;
    if (element === undefined) return [];
    const place = { ...(parent === 0 ? {} : { in: parent }), ...(after === undefined ? {} : { after }) };
    if (isNew) return [{ kind: "appeared", ...describeControl(element, window, options), ...place }];
    return [{ kind: "moved", ...nameControl(element, window), ...place }];
  });
}

/** Lists only those whose parent still exists; a closed menu is one line. */
function listGoneLines(
  old: ReadonlyMap<number, Spot>,
  current: ReadonlyMap<number, Spot>,
  window: number,
): ChangeLine[] {
  const gone = [...old].filter(([mark, { parent }]) => !current.has(mark) && (parent === 0 || current.has(parent)));
  const holders = new Set([...current.values()].map(({ parent }) => parent));
  return [...Map.groupBy(gone, ([, { parent }]) => parent)].flatMap(([parent, family]): ChangeLine[] => {
    const holder = holders.has(parent) || family.length < 2 ? undefined : current.get(parent)?.element;
    if (holder !== undefined) return [{ kind: "emptied", ...nameControl(holder, window) }];
    return family.map(([, { element }]): ChangeLine => ({ kind: "gone", ...nameControl(element, window) }));
  });
}

function listChangedLines(
  before: WindowView,
  after: WindowView,
  old: ReadonlyMap<number, Spot>,
  current: ReadonlyMap<number, Spot>,
  { withPlaces }: CompareOptions,
): ChangeLine[] {
  return [...current].flatMap(([mark, { element }]): ChangeLine[] => {
    const previous = old.get(mark)?.element;
    if (previous === undefined) return [];
    const was: Partial<Record<ControlAspect, string>> = {};
    for (const { what, before: then } of listDifferences(previous, element)) {
      if (what !== "focus") was[what] = then;
    }
    if (previous.role !== element.role) was.role = previous.role;
    if (previous.taught !== element.taught) was.taught = previous.taught ?? "";
    const [then, now] = withPlaces ? [placeIn(before, previous), placeIn(after, element)] : ["", ""];
    if (then !== now) was.place = then;
    if (Object.keys(was).length === 0) return [];
    return [
      {
        kind: "changed",
        ...nameControl(element, after.window.id),
        ...("taught" in was ? { taught: element.taught ?? "" } : {}),
        ...("value" in was ? { value: element.value } : {}),
        ...("states" in was ? { states: listStates(element) } : {}),
        ...("place" in was ? boundsOf(element) : {}),
        was,
      },
    ];
  });
}

/** Relative to its window's upper left corner. */
function placeIn({ window }: WindowView, { bounds }: MarkedElement): string {
  if (bounds === undefined) return "";
  const { x, y, width, height } = bounds;
  return `${width}x${height} at ${x - window.bounds.x},${y - window.bounds.y}`;
}

/** The innermost focused control, if it changed. */
function listFocusLines(before: WindowView, after: WindowView): ChangeLine[] {
  const [then, now] = [before, after].map(({ elements }) =>
    flatten(elements).findLast(({ mark, states }) => mark !== 0 && states.has("focused")),
  );
  if (now === undefined || then?.mark === now.mark) return [];
  return [{ kind: "focus", ...nameControl(now, after.window.id) }];
}
