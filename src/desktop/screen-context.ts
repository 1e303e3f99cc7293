import { selectElements } from "../find/filter.ts";
import { type Desktop, findTaught, lookAt, type ReadOptions, recognise, withMap } from "../find/read.ts";
import { selectWindows, type WindowQuery } from "../find/select.ts";
import { listTaughtPlaces } from "../find/taught-places.ts";
import { describeAll } from "../map/recognise.ts";
import type { MapStore, StoredTarget } from "../map/store/port.ts";
import { type Bounds, centreOf, containsPoint } from "../model/bounds.ts";
import { listKeyboardActions, type ScreenContext } from "../model/context.ts";
import { fromLocal } from "../model/coordinates.ts";
import { visionScale } from "../model/detection.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import { hashText } from "../model/hash.ts";
import { learnerRole } from "../model/role.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import { isPixelSource, isSeenSource, sources } from "../model/source.ts";
import { judgeConfidence, type Learned, type Target } from "../model/target.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import { mergeMemory } from "../sources/merge-memory.ts";

export interface ContextQuery extends WindowQuery, ReadOptions {
  /** Read the picture of the active window even if its tree is complete. */
  readonly forceVision: boolean;
  /** Only targets in this part of the screen, in physical pixels. */
  readonly focusArea?: Bounds | undefined;
}

/** A smaller tree is taken for incomplete, and the picture is read too; a dialog with two buttons has more. */
const fewElements = 5;
const maxCommonActions = 10;

export function readScreenContext(desktop: Desktop, query: ContextQuery): Promise<Result<ScreenContext>> {
  return withMap(async () => {
    const list = await desktop.platform.listWindows();
    if (!list.ok) return list;
    const { windows: all, screen } = list.value;
    const chosen = selectWindows(list.value, query);
    if (!chosen.ok) return chosen;
    const active = chosen.value.find(({ isFocused }) => isFocused) ?? chosen.value[0];
    const shown = chosen.value.filter(({ state }) => !state.includes("minimised"));
    const snapshot = await lookAtScreen(desktop, query, shown, all, active);
    if (!snapshot.ok) return snapshot;
    const seen = describeSeen(desktop.marks, snapshot.value);
    const ofActive = seen.filter(({ read }) => read.window.id === active?.id);
    const targets = snapshot.value.windows.flatMap((read) => {
      const own = seen.filter((one) => one.read === read).map(({ target }) => target);
      return mergeWindow(desktop, snapshot.value, read, own);
    });
    const area = query.focusArea;
    const near = area === undefined ? targets : targets.filter((target) => isInArea(target, area));
    const focused = [...ofActive, ...seen].find(({ element }) => element.states.has("focused"));
    return succeed({
      takenAtMs: snapshot.value.takenAtMs,
      activeApp: {
        name: active?.app ?? "",
        bundleId: await findBundleId(desktop, active),
        windowTitle: active?.title ?? "",
      },
      screenSize: { width: screen.width, height: screen.height },
      targets: sortByRelevance(near, active, focused?.target.mark),
      focused: focused && { target: focused.target, keyboardActions: listKeyboardActions(focused.element) },
      learnedPatterns: findPatterns(desktop.marks, snapshot.value, active),
      notes: snapshot.value.windows.flatMap(({ notes }) => notes),
    });
  });
}

/** Reads the picture of the active window if its tree is thin or if requested; no other picture is read. */
async function lookAtScreen(
  { platform }: Desktop,
  { forceVision, timeoutMs }: ContextQuery,
  shown: readonly Window[],
  all: readonly Window[],
  active: Window | undefined,
): Promise<Result<Snapshot>> {
  const snapshot = await lookAt(platform, shown, all, {
    includeHidden: false,
    timeoutMs,
    vision: "off",
    withUntold: true,
  });
  if (!snapshot.ok || active === undefined) return snapshot;
  const { windows } = snapshot.value;
  const root = windows.find(({ window }) => window.id === active.id)?.root;
  const isThin = root === undefined || flatten([root]).length < fewElements;
  if (!isThin && !forceVision) return snapshot;
  // Without a vision provider, only an explicit request reports that.
  const vision = forceVision || root !== undefined ? "on" : "auto";
  const again = await lookAt(platform, [active], all, { includeHidden: false, timeoutMs, vision, withUntold: true });
  if (!again.ok) return again;
  const [read] = again.value.windows;
  const fill = (one: WindowRead, now: WindowRead): WindowRead => (forceVision ? now : { ...now, notes: one.notes });
  const merged = windows.map((one) => (one.window.id === active.id && read !== undefined ? fill(one, read) : one));
  return succeed({ ...snapshot.value, windows: merged, vision });
}

/** Everything that can be acted on, and everything found in a picture. */
function describeSeen(marks: MapStore, snapshot: Snapshot) {
  const found = snapshot.windows.flatMap((read) => {
    if (read.root === undefined) return [];
    const interactive = flatten(selectElements(read.root, { isInteractive: true }).elements);
    const pictured = flatten(read.root.children).filter(({ source }) => isSeenSource(source));
    return [...new Set([...interactive, ...pictured])].map((element) => ({ read, element }));
  });
  const numbers = recognise(marks, snapshot, new Set(found.map(({ element }) => element.handle)), true);
  const learned = marks.findLearned(found.flatMap(({ element }) => numbers.get(element.handle) ?? []));
  const names = findTaught(marks, snapshot);
  return found.flatMap(({ read, element }) => {
    const known = learned.get(numbers.get(element.handle) ?? 0);
    if (known === undefined) return [];
    const { role, name, bounds, clickPoint } = element;
    const { app, title: window } = read.window;
    const label = names.get(known.mark) ?? name;
    const told = { ...known, source: element.source, certainty: element.certainty ?? known.certainty };
    const target = complete(told, { app, window, role: learnerRole(role), label, bounds, clickPoint });
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
  snapshot: Snapshot,
  read: WindowRead,
  seen: readonly Target[],
): readonly Target[] {
  const taught = listTaughtPlaces(desktop, [read.window], snapshot.all).map(({ target, window }) =>
    recall(target, window),
  );
  const remembered = [...listUsed(desktop.marks, snapshot, read), ...taught];
  return mergeMemory({ seen, remembered }, { scale: visionScale, nowMs: snapshot.takenAtMs });
}

const reportedSources = sources.filter((source) => !isPixelSource(source));

/** Targets used successfully in this window; the merge decides which are present now. */
function listUsed(marks: MapStore, snapshot: Snapshot, { appKey, root, window }: WindowRead): readonly Target[] {
  const names = nameWindow(snapshot, root);
  const used = marks.listTargets({ apps: [appKey], minHits: 1, sources: reportedSources });
  return used.filter(({ ref }) => ref.windows.some((name) => names.includes(name))).map((one) => recall(one, window));
}

/** The names that distinguish a window, as in the refs of its elements. */
function nameWindow(snapshot: Snapshot, root: Element | undefined): readonly string[] {
  return describeAll(snapshot).find(({ handle }) => handle === root?.handle)?.windows ?? [];
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

async function findBundleId({ platform }: Desktop, window: Window | undefined): Promise<string | undefined> {
  if (window === undefined) return undefined;
  for (const name of new Set([window.class, ...window.aliases, window.app])) {
    const opener = name === "" ? undefined : await platform.findOpener(name, []);
    if (opener?.ok === true && opener.value.desktopId !== undefined) return opener.value.desktopId;
  }
  return undefined;
}

function findPatterns(marks: MapStore, snapshot: Snapshot, window: Window | undefined) {
  const app = window === undefined ? "" : applicationKeyOf(window);
  const read = snapshot.windows.find((one) => one.window.id === window?.id);
  const name = nameWindow(snapshot, read?.root).at(-1) ?? "";
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

/** Present targets before stale ones, then the active window, then used targets. */
function sortByRelevance(
  targets: readonly Target[],
  active: Window | undefined,
  focusedMark: number | undefined,
): Target[] {
  const weigh = (target: Target): number =>
    (target.isStale ? -1000 : 0) +
    (target.app === active?.app && target.window === active.title ? 100 : 0) +
    (target.mark === focusedMark ? 50 : 0) +
    target.confidence * (40 + Math.min(20, 2 * target.hits) + (target.taught === "" ? 0 : 20)) +
    (target.label === "" ? -10 : 0);
  return targets.toSorted((a, b) => weigh(b) - weigh(a));
}
