import { nameWindows } from "../map/identify.ts";
import type { StoredTarget } from "../map/store/port.ts";
import { type Bounds, boundsAround, intersect, type Point, windowSpace } from "../model/bounds.ts";
import { fromLocal, toLocal } from "../model/coordinates.ts";
import { blankElement, type Element } from "../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { Ref } from "../model/ref.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import { describeAppearance, hasAppearance, isSameAppearance, placeAround } from "../picture/appearance.ts";
import type { Desktop } from "./read.ts";

/** A control that a person pointed at where no tree reports one: known by its place in a window and its appearance. */
export interface TaughtPlace {
  readonly mark: number;
  readonly window: Window;
  readonly element: Element;
  readonly target: StoredTarget;
}

/** The assumed size of a button. */
const taughtSize = { width: 50, height: 30 };

/** The places taught in these windows. */
export function listTaughtPlaces(
  { marks }: Pick<Desktop, "marks">,
  windows: readonly Window[],
  all: readonly Window[],
): readonly TaughtPlace[] {
  const apps = [...new Set(windows.map(applicationKeyOf))];
  const targets = marks.listTargets({ apps, sources: ["learned"] });
  if (targets.length === 0) return [];
  return windows.flatMap((window) => {
    const names = nameWindow(window, all);
    const isIn = ({ ref }: StoredTarget): boolean =>
      ref.app === applicationKeyOf(window) && ref.windows.some((name) => names.includes(name));
    return targets.filter(isIn).map((target) => describePlace(window, target));
  });
}

/** Stores a point of a window under the name a person gives; a place of that name there is replaced. */
export async function teachPlace(
  desktop: Desktop,
  window: Window,
  all: readonly Window[],
  point: Point,
  name: string,
): Promise<Result<number>> {
  const bounds = boundsAround(point, taughtSize);
  const picture = await captureWithin(desktop, placeAround(bounds));
  if (!picture.ok) return picture;
  if (!hasAppearance(picture.value, bounds)) {
    const message = `nothing is drawn at ${point.x},${point.y} by which it could be recognised`;
    return fail(makeFailure("NOT_FOUND", message, "point at the middle of something visible."));
  }
  const { marks } = desktop;
  const app = applicationKeyOf(window);
  const names = [app, window.app, window.class, ...window.aliases].filter(Boolean).map((one) => one.toLowerCase());
  // A policy may use any of its names to make it blind.
  marks.nameApplications(new Map([[app, new Set(names)]]));
  for (const { mark, target } of listTaughtPlaces(desktop, [window], all)) {
    if (target.learned.taught === name) marks.teach(mark, "");
  }
  const { bounds: origin } = window;
  return marks.inTransaction(() => {
    const [mark = 0] = marks.allotMarks([makeRef(app, nameWindow(window, all), toLocal(bounds, origin))]);
    const visualHash = describeAppearance(picture.value, bounds, origin);
    const place = { bounds: toLocal(bounds, origin), point: toLocal(point, origin), visualHash };
    marks.setPlace(mark, { source: "learned", certainty: undefined, ...place });
    marks.teach(mark, name);
    return succeed(mark);
  });
}

/** Where a taught place is now: its window must be open, nothing may cover it, and it must look as it did. */
export async function findTaughtPlace(
  desktop: Desktop,
  mark: number,
): Promise<Result<TaughtPlace & { readonly all: readonly Window[] }>> {
  const [target] = desktop.marks.listTargets({ marks: [mark] });
  if (target === undefined) throw new Error(`${mark} is no taught place`);
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list;
  const { windows: all } = list.value;
  const place = listTaughtPlaces(desktop, all, all).find((one) => one.mark === mark);
  const app = quoteName(target.ref.app);
  const { bounds, clickPoint } = place?.element ?? {};
  if (place === undefined || bounds === undefined || clickPoint === undefined) {
    return refuse(target, "its window is not open", `start ${app}, then try again.`);
  }
  const top = await desktop.platform.findWindowAt(clickPoint);
  if (!top.ok) return top;
  if (top.value?.id !== place.window.id) {
    return refuse(target, "another window covers it", `deskmap window raise --window-id ${place.window.id}`);
  }
  const picture = await captureWithin(desktop, placeAround(bounds));
  if (!picture.ok) return picture;
  if (!isSameAppearance(target.learned.visualHash, describeAppearance(picture.value, bounds, place.window.bounds))) {
    const again = `deskmap screenshot --app ${app} shows it; deskmap teach NAME X Y teaches it anew.`;
    return refuse(target, "it does not look as it did", again);
  }
  return succeed({ ...place, all });
}

function refuse({ ref, learned }: StoredTarget, why: string, suggestion: string): Result<never> {
  const name = quoteText(learned.taught || ref.name);
  const message = `${learned.mark} means the place ${name} of ${quoteName(ref.app)}; ${why}`;
  return fail(makeFailure("NOT_FOUND", message, suggestion));
}

async function captureWithin({ platform }: Desktop, bounds: Bounds): Promise<Result<Picture>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const part = intersect(bounds, list.value.screen);
  if (part !== undefined) return platform.captureScreen(part);
  const message = `the place at ${bounds.x},${bounds.y} is not on the screen`;
  return fail(makeFailure("NOT_FOUND", message, "deskmap list shows where every window is."));
}

function nameWindow(window: Window, all: readonly Window[]): readonly string[] {
  return (nameWindows([{ window }], all).get(window.id) ?? []).map((name) => `window:${name}`);
}

function describePlace(window: Window, target: StoredTarget): TaughtPlace {
  const { clickPoint, ref, learned } = target;
  const point = fromLocal(clickPoint ?? { x: 0, y: 0 }, window.bounds);
  const bounds = ref.bounds ? fromLocal(ref.bounds, window.bounds) : boundsAround(point, taughtSize);
  const life = `learned:${window.pid}:${window.id}`;
  const element: Element = {
    ...blankElement,
    source: "learned",
    life,
    handle: `${life}/${learned.mark}`,
    role: "button",
    name: learned.taught || ref.name,
    ownName: ref.name,
    bounds,
    clickPoint: point,
  };
  return { mark: learned.mark, window, element, target };
}

/** Only its window and place are known. */
function makeRef(app: string, windows: readonly string[], bounds: Bounds): Ref {
  return {
    app,
    windows,
    path: [],
    role: "button",
    name: "",
    platformId: "",
    index: 0,
    count: 1,
    owner: "",
    sisters: ["", ""],
    twins: 0,
    hasTwin: false,
    handle: "",
    life: "",
    bounds,
    space: windowSpace,
  };
}
