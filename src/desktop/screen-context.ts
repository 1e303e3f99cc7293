import { type BarePlace, listBarePlaces, type PlaceNews, refreshPlaces, rememberPlaces } from "../find/bare-places.ts";
import { selectElements } from "../find/filter.ts";
import { type Desktop, findTaught, know, lookAt, type Patience, type Sight, withMap } from "../find/read.ts";
import { selectWindows, type WindowQuery } from "../find/select.ts";
import { mergeSources } from "../map/merge.ts";
import { describeAll } from "../map/recognise.ts";
import type { MapStore, StoredTarget } from "../map/store/port.ts";
import { type Bounds, centreOf, containsPoint, intersect } from "../model/bounds.ts";
import { listKeyboardActions, type ScreenContext } from "../model/context.ts";
import { fromLocal } from "../model/coordinates.ts";
import type { Detection } from "../model/detection.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import { hashText } from "../model/hash.ts";
import { isRole, learnerRole } from "../model/role.ts";
import type { Note, WindowRead } from "../model/snapshot.ts";
import { judgeConfidence, type Learned, type Target } from "../model/target.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import type { VisionProvider } from "../vision/port.ts";

export interface ContextQuery extends WindowQuery, Patience {
  /** Also what pictures show, however much the tree tells. */
  readonly forceVision: boolean;
  /** Only what lies in this part of the screen, in physical pixels. */
  readonly focusArea?: Bounds | undefined;
  /** What reads pictures; undefined where nothing does. */
  openVision(): Promise<Result<VisionProvider | undefined>>;
}

/**
 * A tree with fewer elements than these is taken for incomplete, and the picture is asked, too. A question with two buttons
 * has few controls, and tells all of them: a look at its picture would take a hundred times as long.
 */
const fewElements = 5;
const maxCommonActions = 10;
/** Nothing tells how large people want things on a monitor: an inch is as many pixels on all of them here. */
const scale = 1;

/** What is on the screen, with what is remembered about it. */
export function readScreenContext(desktop: Desktop, query: ContextQuery): Promise<Result<ScreenContext>> {
  return withMap(async () => {
    const list = await desktop.platform.listWindows();
    if (!list.ok) return list;
    const { windows: all, screen } = list.value;
    const chosen = selectWindows(all, query, list.value.withheld);
    if (!chosen.ok) return chosen;
    const active = chosen.value.find(({ isFocused }) => isFocused) ?? chosen.value[0];
    const shown = chosen.value.filter(({ state }) => !state.includes("minimised"));
    const sight = await lookAt(desktop.platform, shown, all, { includeHidden: false, timeoutMs: query.timeoutMs });
    if (!sight.ok) return sight;
    const seen = describeSeen(desktop.marks, sight.value);
    const ofActive = seen.filter(({ read }) => read.window.id === active?.id);
    const root = sight.value.snapshot.windows.find(({ window }) => window.id === active?.id)?.root;
    const elementCount = root === undefined ? 0 : flatten([root]).length;
    const pixels = await askVision(desktop, query, active, ofActive, elementCount, screen);
    const targets = sight.value.snapshot.windows.flatMap((read) => {
      const own = seen.filter((one) => one.read === read).map(({ target }) => target);
      return mergeWindow(desktop, sight.value, read, own, read.window.id === active?.id ? pixels : nothingSeen);
    });
    const area = query.focusArea;
    const near = area === undefined ? targets : targets.filter((target) => isInArea(target, area));
    const focused = [...ofActive, ...seen].find(({ element }) => element.states.has("focused"));
    return succeed({
      takenAtMs: sight.value.snapshot.takenAtMs,
      activeApp: {
        name: active?.app ?? "",
        bundleId: await findBundleId(desktop, active),
        windowTitle: active?.title ?? "",
      },
      screenSize: { width: screen.width, height: screen.height },
      targets: sortByRelevance(near, active, focused?.target.mark),
      focused: focused && { target: focused.target, keyboardActions: listKeyboardActions(focused.element) },
      learnedPatterns: findPatterns(desktop.marks, sight.value, active),
      notes: [...sight.value.snapshot.windows.flatMap(({ notes }) => notes), ...pixels.notes],
    });
  });
}

interface Seen {
  readonly read: WindowRead;
  readonly element: Element;
  readonly target: Target;
}

/** Everything that can be acted on, as the platform tells it. */
function describeSeen(marks: MapStore, sight: Sight): readonly Seen[] {
  const found = sight.snapshot.windows.flatMap((read) => {
    const { elements } =
      read.root === undefined ? { elements: [] } : selectElements(read.root, { isInteractive: true });
    return flatten(elements).map((element) => ({ read, element }));
  });
  const numbers = know(marks, sight, new Set(found.map(({ element }) => element.handle)), true);
  const learned = marks.findLearned(found.flatMap(({ element }) => numbers.get(element.handle) ?? []));
  const names = findTaught(marks, sight);
  return found.flatMap(({ read, element }) => {
    const known = learned.get(numbers.get(element.handle) ?? 0);
    if (known === undefined) return [];
    const { role, name, bounds, clickPoint } = element;
    const { app, title: window } = read.window;
    const label = names.get(known.mark) ?? name;
    const target = complete(known, { app, window, role: learnerRole(role), label, bounds, clickPoint });
    return [{ read, element, target }];
  });
}

type Shown = Pick<Target, "app" | "window" | "role" | "label" | "bounds" | "clickPoint">;

function complete(learned: Learned, shown: Shown): Target {
  const isLearned = learned.hits > 0 || learned.taught !== "";
  return { ...learned, ...shown, confidence: judgeConfidence(learned), isLearned, isStale: false };
}

function mergeWindow(
  desktop: Desktop,
  sight: Sight,
  read: WindowRead,
  seen: readonly Target[],
  { detections, picture }: Pixels,
): readonly Target[] {
  const { app, title } = read.window;
  const bare = listBarePlaces(desktop, [read.window], sight.all).map(recallPlace);
  const remembered = [...listUsed(desktop.marks, sight, read), ...bare];
  const settings = { app, window: title, scale, nowMs: sight.snapshot.takenAtMs };
  const merged = mergeSources({ seen, detections, remembered }, settings);
  return markPictured(desktop, sight, read.window, picture, merged);
}

/** What was used with success in this window; which of it is there now is for the merge to say. */
function listUsed(marks: MapStore, sight: Sight, { appKey, root, window }: WindowRead): readonly Target[] {
  const names = nameWindow(sight, root);
  const used = marks.listTargets({ apps: [appKey], minHits: 1, sources: ["a11y", "a11y+vision", "dom"] });
  return used.filter(({ ref }) => ref.windows.some((name) => names.includes(name))).map((one) => recall(one, window));
}

/** By what a window is told from others, as the refs of everything in it say. */
function nameWindow({ snapshot, all }: Sight, root: Element | undefined): readonly string[] {
  return describeAll(snapshot, all).find(({ handle }) => handle === root?.handle)?.windows ?? [];
}

function recall({ ref, learned, clickPoint }: StoredTarget, window: Window): Target {
  const shown = complete(learned, {
    app: window.app,
    window: window.title,
    role: learnerRole(ref.role),
    label: learned.taught || ref.name,
    bounds: ref.bounds && fromLocal(ref.bounds, window.bounds),
    clickPoint: clickPoint && fromLocal(clickPoint, window.bounds),
  });
  return { ...shown, isStale: true };
}

function recallPlace({ target, window }: BarePlace): Target {
  return recall(target, window);
}

/** What only the picture shows gets a mark, too: it is looked at again before anything is done there. */
function markPictured(
  desktop: Desktop,
  { all }: Sight,
  window: Window,
  picture: Picture | undefined,
  targets: readonly Target[],
): readonly Target[] {
  const isNew = ({ mark, source }: Target): boolean => mark === 0 && source === "ocr";
  const news = targets.filter(isNew).flatMap((target): PlaceNews[] => {
    const { bounds, clickPoint, role, label, certainty } = target;
    if (bounds === undefined || clickPoint === undefined) return [];
    const known = isRole(role) ? role : "text";
    return [{ source: "ocr", role: known, name: label, taught: "", certainty, bounds, point: clickPoint }];
  });
  if (picture !== undefined) refreshPlaces(desktop, window, picture, listSeenAgain(targets));
  if (news.length === 0 || picture === undefined) return targets.filter((target) => !isNew(target));
  const marks = [...rememberPlaces(desktop, window, all, picture, news)];
  return targets.map((target) => (isNew(target) ? { ...target, mark: marks.shift() ?? 0 } : target));
}

function listSeenAgain(targets: readonly Target[]) {
  return targets.flatMap(({ mark, source, isStale, taught, bounds, clickPoint: point, certainty }) => {
    // What a person pointed at stays as they saw it.
    if (mark === 0 || taught !== "" || source !== "ocr" || isStale || bounds === undefined || point === undefined)
      return [];
    return [{ mark, source: "ocr" as const, certainty, bounds, point }];
  });
}

interface Pixels {
  readonly detections: readonly Detection[];
  readonly picture: Picture | undefined;
  readonly notes: readonly Note[];
}

const nothingSeen: Pixels = { detections: [], picture: undefined, notes: [] };

/** What the picture of the active window shows, where the tree does not tell enough or somebody insists. */
async function askVision(
  { platform }: Desktop,
  query: ContextQuery,
  active: Window | undefined,
  seen: readonly Seen[],
  elementCount: number,
  screen: Bounds,
): Promise<Pixels> {
  if (active === undefined || (!query.forceVision && elementCount >= fewElements)) return nothingSeen;
  const within = query.focusArea === undefined ? active.bounds : intersect(query.focusArea, active.bounds);
  const part = within && intersect(within, screen);
  if (part === undefined) return nothingSeen;
  const provider = await query.openVision();
  if (!provider.ok) return tellFailure(provider.failure);
  if (provider.value === undefined) return query.forceVision ? tellFailure(noVision) : nothingSeen;
  // The window as itself: what lies over it is another application's.
  const picture = await platform.captureWindow(active, part);
  if (!picture.ok) return tellFailure(picture.failure);
  const hints = {
    app: active.app,
    windowTitle: active.title,
    knownLabels: seen.map(({ target }) => target.label),
    scale,
  };
  const found = await provider.value.detect(picture.value, hints);
  if (!found.ok) return tellFailure(found.failure);
  return { detections: found.value, picture: picture.value, notes: [] };
}

const noVision = {
  message: "nothing here reads pictures",
  suggestion: "sudo apt-get install tesseract-ocr, and leave DESKMAP_VISION unset",
};

function tellFailure({ message, suggestion }: Pick<Failure, "message" | "suggestion">): Pixels {
  const text = suggestion === undefined ? message : `${message}: ${suggestion}`;
  return { ...nothingSeen, notes: [{ code: "FAILED", text }] };
}

async function findBundleId({ platform }: Desktop, window: Window | undefined): Promise<string | undefined> {
  if (window === undefined) return undefined;
  for (const name of new Set([window.class, ...window.aliases, window.app])) {
    const opener = name === "" ? undefined : await platform.findOpener(name, []);
    if (opener?.ok === true && opener.value.desktopId !== undefined) return opener.value.desktopId;
  }
  return undefined;
}

function findPatterns(marks: MapStore, sight: Sight, window: Window | undefined) {
  const app = window === undefined ? "" : applicationKeyOf(window);
  const read = sight.snapshot.windows.find((one) => one.window.id === window?.id);
  const name = nameWindow(sight, read?.root).at(-1) ?? "";
  const used = app === "" ? [] : marks.listTargets({ apps: [app], minHits: 1, limit: maxCommonActions * 2 });
  const labels = used.map(({ ref, learned }) => learned.taught || ref.name).filter((label) => label !== "");
  return {
    appSignature: hashText(`${app}\u0004${name}`),
    commonActions: [...new Set(labels)].slice(0, maxCommonActions),
    layoutVersion: marks.findLayout({ app, window: name }),
  };
}

function isInArea({ bounds, clickPoint }: Target, area: Bounds): boolean {
  const point = clickPoint ?? (bounds && centreOf(bounds));
  return point !== undefined && containsPoint(area, point);
}

/** What is there before what is only remembered, the active window before others, what was used before what was not. */
function sortByRelevance(
  targets: readonly Target[],
  active: Window | undefined,
  focusedMark: number | undefined,
): Target[] {
  const weigh = (target: Target): number =>
    (target.isStale ? -1000 : 0) +
    (target.app === active?.app && target.window === active.title ? 100 : 0) +
    (target.mark === focusedMark ? 50 : 0) +
    Math.min(20, 2 * target.hits) +
    (target.taught === "" ? 0 : 20) +
    (target.label === "" ? -10 : 0) +
    10 * target.confidence;
  return targets.toSorted((a, b) => weigh(b) - weigh(a));
}
