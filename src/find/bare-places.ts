import type { BareTarget, StoredTarget } from "../map/store/port.ts";
import { nameWindows } from "../map/window-names.ts";
import { type Bounds, boundsAround, intersect, type Point, windowSpace } from "../model/bounds.ts";
import type { Actor } from "../model/command.ts";
import { fromLocal, toLocal } from "../model/coordinates.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { Ref } from "../model/ref.ts";
import type { Role } from "../model/role.ts";
import type { Source } from "../model/source.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import { describeAppearance, hasAppearance, isSameAppearance, placeAround } from "../picture/appearance.ts";
import type { Desktop } from "./read.ts";

/** A control that no tree tells of: it has a place in a window, and a look. A person has shown it, or a picture. */
export interface BarePlace {
  readonly mark: number;
  readonly name: string;
  readonly window: Window;
  readonly point: Point;
  readonly bounds: Bounds;
  readonly target: StoredTarget;
}

/** What a place is remembered with. */
export interface PlaceNews {
  readonly source: Extract<Source, "learned" | "ocr">;
  readonly role: Role;
  /** What the picture says it is called. */
  readonly name: string;
  /** What a person calls it; empty where nobody has. */
  readonly taught: string;
  readonly certainty: number | undefined;
  readonly bounds: Bounds;
  readonly point: Point;
}

/** As large as a button is that nobody has measured. */
const taughtSize = { width: 50, height: 30 };
const bareSources: readonly Source[] = ["learned", "ocr"];
/** What was read in pictures, and never used, is kept of the last so many. */
const maxUnused = 300;

/** The places that are remembered in these windows. */
export function listBarePlaces(
  { marks }: Pick<Desktop, "marks">,
  windows: readonly Window[],
  all: readonly Window[],
): readonly BarePlace[] {
  const apps = [...new Set(windows.map(applicationKeyOf))];
  const targets = marks.listTargets({ apps, sources: bareSources });
  if (targets.length === 0) return [];
  return windows.flatMap((window) => {
    const names = [...nameOf(window, all), veryWindow(window)];
    return targets.filter(({ ref }) => isIn(ref, window, names)).map((target) => placeIn(window, target));
  });
}

/** Remembers places of a window as they look in a picture; returns their marks. */
export function rememberPlaces(
  { marks }: Pick<Desktop, "marks">,
  window: Window,
  all: readonly Window[],
  picture: Picture,
  news: readonly PlaceNews[],
): readonly number[] {
  const app = applicationKeyOf(window);
  // So that it is known by any of its names, should it not be looked at any more.
  marks.nameApplications(
    new Map([
      [
        app,
        new Set([app, window.app, window.class, ...window.aliases].filter(Boolean).map((name) => name.toLowerCase())),
      ],
    ]),
  );
  return marks.inTransaction(() => {
    const numbers = marks.allotMarks(
      news.map(({ role, name, bounds, source }) => {
        return describePlace(app, nameFor(source, window, all), role, name, toLocal(bounds, window.bounds));
      }),
    );
    news.forEach((one, at) => {
      const mark = numbers[at] ?? 0;
      marks.setPlace(mark, describeBare(window, picture, one));
      if (one.taught !== "") marks.teach(mark, one.taught);
    });
    marks.dropUnusedPlaces(app, maxUnused);
    return numbers;
  });
}

/** Places that were seen again, as they look and where they are now. */
export function refreshPlaces(
  { marks }: Pick<Desktop, "marks">,
  window: Window,
  picture: Picture,
  seen: readonly (Omit<PlaceNews, "role" | "name" | "taught"> & { readonly mark: number })[],
): void {
  if (seen.length === 0) return;
  marks.inTransaction(() => {
    for (const one of seen) marks.setPlace(one.mark, describeBare(window, picture, one));
  });
}

function describeBare(
  window: Window,
  picture: Picture,
  { source, certainty, bounds, point }: Omit<PlaceNews, "role" | "name" | "taught">,
): BareTarget {
  const visualHash = describeAppearance(picture, bounds, source === "learned" ? window.bounds : undefined);
  const { bounds: origin } = window;
  return { source, certainty, bounds: toLocal(bounds, origin), point: toLocal(point, origin), visualHash };
}

/** Remembers a point of a window under a name that a person gave; one of that name there is replaced. */
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
  if (!hasAppearance(picture.value, bounds)) return fail(describeBlank(point));
  for (const one of listBarePlaces(desktop, [window], all)) {
    if (one.target.learned.taught === name) desktop.marks.teach(one.mark, "");
  }
  const news: PlaceNews = {
    source: "learned",
    role: "button",
    name: "",
    taught: name,
    certainty: undefined,
    bounds,
    point,
  };
  return succeed(rememberPlaces(desktop, window, all, picture.value, [news])[0] ?? 0);
}

/**
 * Where a mark of a bare place is now; undefined for any other mark. Memory alone is not enough: its window must be there,
 * nothing may lie over the place, and it must look as it did.
 */
export async function findBarePlace(desktop: Desktop, mark: number): Promise<Result<BarePlace | undefined>> {
  const [target] = desktop.marks.listTargets({ marks: [mark], sources: bareSources });
  if (target === undefined) return succeed(undefined);
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list;
  const { windows } = list.value;
  const place = listBarePlaces(desktop, windows, windows).find((one) => one.mark === mark);
  const app = quoteName(target.ref.app);
  if (place === undefined) return refuse(target, "its window is not open", `start ${app}, then try again.`);
  const top = await desktop.platform.findWindowAt(place.point);
  if (!top.ok) return top;
  if (top.value?.id !== place.window.id) {
    return refuse(target, "something else lies over it", `deskmap window raise --window-id ${place.window.id}`);
  }
  const picture = await captureWithin(desktop, placeAround(place.bounds));
  if (!picture.ok) return picture;
  const around = target.learned.source === "learned" ? place.window.bounds : undefined;
  if (!isSameAppearance(target.learned.visualHash, describeAppearance(picture.value, place.bounds, around))) {
    const again = `deskmap screenshot --app ${app} shows it; deskmap teach NAME X Y teaches it anew.`;
    return refuse(target, "it does not look as it did", again);
  }
  return succeed(place);
}

function refuse({ ref, learned }: StoredTarget, why: string, suggestion: string): Result<never> {
  const name = quoteText(learned.taught || ref.name);
  const message = `${learned.mark} means the place ${name} of ${quoteName(ref.app)}; ${why}`;
  return fail({ code: "NOT_FOUND", message, suggestion, done: nothingDone });
}

async function captureWithin({ platform }: Desktop, bounds: Bounds): Promise<Result<Picture>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const part = intersect(bounds, list.value.screen);
  return part === undefined ? fail(describeOutside(bounds)) : platform.captureScreen(part);
}

function describeOutside({ x, y }: Bounds): Failure {
  return {
    code: "NOT_FOUND",
    message: `the place at ${x},${y} is not on the screen`,
    suggestion: "deskmap list shows where every window is.",
    done: nothingDone,
  };
}

function describeBlank({ x, y }: Point): Failure {
  return {
    code: "NOT_FOUND",
    message: `nothing is drawn at ${x},${y} by which it could be known again`,
    suggestion: "point at the middle of what can be seen.",
    done: nothingDone,
  };
}

/**
 * What a place is known by. What a picture alone has shown holds while its window lives: another one with the same words in
 * the same place is another control.
 */
function nameFor(source: PlaceNews["source"], window: Window, all: readonly Window[]): readonly string[] {
  return source === "ocr" ? [veryWindow(window)] : nameOf(window, all);
}

function veryWindow({ title, pid, id }: Window): string {
  return `window:${title}\u0001${pid}:${id}`;
}

function nameOf(window: Window, all: readonly Window[]): readonly string[] {
  return (nameWindows([{ window }], all).get(window.id) ?? []).map((name) => `window:${name}`);
}

function isIn({ app, windows }: StoredTarget["ref"], window: Window, names: readonly string[]): boolean {
  return app === applicationKeyOf(window) && windows.some((name) => names.includes(name));
}

function placeIn(window: Window, target: StoredTarget): BarePlace {
  const { clickPoint, ref, learned } = target;
  const point = fromLocal(clickPoint ?? { x: 0, y: 0 }, window.bounds);
  const bounds = ref.bounds ? fromLocal(ref.bounds, window.bounds) : boundsAround(point, taughtSize);
  return { mark: learned.mark, name: learned.taught || ref.name, window, point, bounds, target };
}

/** A place as the guard judges it: a button that says what the picture says there, and what a person calls it. */
export function toActor({ name, target, bounds, point }: BarePlace): Actor {
  const words = [...new Set([target.ref.name, name])].filter((one) => one !== "").join(" ");
  return {
    role: "button",
    platformRole: "",
    name: words,
    ownName: words,
    value: "",
    description: "",
    states: new Set(),
    bounds,
    clickPoint: point,
    actions: [],
    platformActions: [],
    invocations: {},
    shortcut: "",
    platformId: "",
    source: target.learned.source,
    life: "",
    handle: "",
    alikeIndex: 0,
    alikeCount: 1,
    url: "",
  };
}

/** Nothing but its window, its place and its words is known of it. */
function describePlace(app: string, windows: readonly string[], role: Role, name: string, bounds: Bounds): Ref {
  return {
    app,
    windows,
    path: [],
    role,
    name,
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
