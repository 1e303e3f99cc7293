import { type Bounds, containsBounds, intersect } from "../../model/bounds.ts";
import type { Element } from "../../model/element.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { Covered, Picture } from "../../model/frame.ts";
import { quoteText } from "../../model/plain-text.ts";
import { grow, subtract } from "../../model/region.ts";
import { isMasked } from "../../model/secrets-in-text.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import type { Window } from "../../model/window.ts";
import type { Layer, Platform } from "../../platform/port.ts";
import { isSameAround, paintOver } from "./paint.ts";

export interface CoverOptions {
  readonly platform: Platform;
  readonly isBlind: (names: readonly string[]) => boolean;
  /** Time allowed for each application to tell what is in its windows. */
  readonly timeoutMs: number;
  /** Told of every window that a picture shows. */
  readonly onShown: (windows: readonly Window[]) => void;
}

/** What moves while it is looked at is looked at again, so many times. */
const maxAttempts = 5;
/** Places are rounded, and a letter may stand out a little. */
const marginPx = 2;

/** What is on the screen, and what of it must not be in a picture. */
interface Look {
  readonly layers: readonly Layer[];
  readonly covered: readonly Covered[];
  /** What must be covered, to see whether it is still where it was. */
  readonly secrets: readonly Element[];
}

/** A part of the screen, without the pixels that must not leave. */
export async function captureScreenCovered(options: CoverOptions, part: Bounds): Promise<Result<Picture>> {
  const { platform } = options;
  const seen = new Map<string, string>();
  for (let attempt = 1; ; attempt += 1) {
    const before = await lookAtScreen(options, part);
    if (!before.ok) return before;
    const picture = await platform.captureScreen(part);
    if (!picture.ok) return picture;
    const { covered, secrets, layers } = before.value;
    const isCalm = await isCalmAround(picture.value, covered, () => platform.captureScreen(part));
    const [after, isStill] = await Promise.all([platform.listLayers(), areStill(options, secrets, seen)]);
    if (!after.ok) return after;
    const isSettled = isCalm && isStill && isSameArrangement(layers, after.value, part);
    if (isSettled) return succeed(paintOver(picture.value, covered));
    if (attempt < maxAttempts) continue;
    const again = await lookAtScreen(options, part);
    if (!again.ok) return again;
    return succeed(paintOver(picture.value, [...covered, ...again.value.covered].map(widen)));
  }
}

/** A window or a part of it as itself, without the pixels that must not leave. */
export async function captureWindowCovered(
  options: CoverOptions,
  window: Window,
  part: Bounds | undefined,
): Promise<Result<Picture>> {
  const { platform } = options;
  const seen = new Map<string, string>();
  for (let attempt = 1; ; attempt += 1) {
    const before = await lookAtWindow(options, window);
    if (!before.ok) return before;
    const picture = await platform.captureWindow(window, part);
    if (!picture.ok) return picture;
    const { covered, secrets, bounds } = before.value;
    const isCalm = await isCalmAround(picture.value, covered, () => platform.captureWindow(window, part));
    const [list, isStill] = await Promise.all([platform.listWindows(), areStill(options, secrets, seen)]);
    if (!list.ok) return list;
    const now = list.value.windows.find(({ id }) => id === window.id);
    const hasMoved = !isSame(now?.bounds, bounds);
    if (isCalm && isStill && !hasMoved) return succeed(paintOver(picture.value, covered));
    if (attempt < maxAttempts) continue;
    // In a window that will not keep still nothing can be told apart from what must be covered.
    const moving: Covered[] = hasMoved ? [{ what: "unread", bounds: picture.value.bounds, app: window.app }] : [];
    const again = await lookAtWindow(options, window);
    if (!again.ok) return again;
    return succeed(paintOver(picture.value, [...[...covered, ...again.value.covered].map(widen), ...moving]));
  }
}

/** Browsers tell where a thing that moves was a moment ago: pixels tell at once. */
const calmMs = 50;
const aroundPx = 120;

/** Whether nothing moves around what must be covered; if it does, that may lie elsewhere by now. */
async function isCalmAround(
  picture: Picture,
  covered: readonly Covered[],
  take: () => Promise<Result<Picture>>,
): Promise<boolean> {
  const secrets = covered.filter(({ what }) => what === "secret");
  if (secrets.length === 0) return true;
  await new Promise((resolve) => setTimeout(resolve, calmMs));
  const later = await take();
  const places = secrets.map(({ bounds }) => bounds);
  return later.ok && isSameAround(picture, later.value, places, aroundPx);
}

/** As far as something goes that moves in the time of a look. */
function widen(one: Covered): Covered {
  return one.what === "secret" ? { ...one, bounds: grow(one.bounds, aroundPx) } : one;
}

/**
 * Whether everything that must be covered is where it was when it was found. Of a few objects a glimpse tells another place
 * than a read, always the same one: then that counts which was seen the time before.
 */
async function areStill(
  { platform, timeoutMs }: CoverOptions,
  secrets: readonly Element[],
  seen: Map<string, string>,
): Promise<boolean> {
  const glimpses = await Promise.all(secrets.map((element) => platform.glimpse(element, timeoutMs)));
  const still = secrets.map(({ runtimeId, place = "", bounds }, at) => {
    const glimpse = glimpses[at];
    if (glimpse?.ok !== true || glimpse.value === undefined) return false;
    const places = JSON.stringify([place, glimpse.value.place, bounds]);
    const isKnown = glimpse.value.place === place || seen.get(runtimeId) === places;
    seen.set(runtimeId, places);
    return isKnown;
  });
  return still.every(Boolean);
}

async function lookAtScreen(options: CoverOptions, part: Bounds): Promise<Result<Look>> {
  const [layers, list] = await Promise.all([options.platform.listLayers(), options.platform.listWindows()]);
  if (!layers.ok) return layers;
  if (!list.ok) return list;
  const shown = findShown(options, layers.value, list.value.windows, part);
  options.onShown(shown);
  return lookInto(options, shown, layers.value, part);
}

/** The windows of which something is in the picture, or in whose pop-ups something may be. */
function findShown(
  { isBlind }: CoverOptions,
  layers: readonly Layer[],
  windows: readonly Window[],
  part: Bounds,
): readonly Window[] {
  const seen = layers.filter((layer, index) => {
    return !isBlind(layer.names) && listVisible(layer.bounds, layers.slice(0, index), part).length > 0;
  });
  const ids = new Set(seen.map(({ windowId }) => windowId));
  const pids = new Set(seen.filter(({ windowId, pid }) => windowId === undefined && pid !== 0).map(({ pid }) => pid));
  return windows.filter(({ id, pid, state }) => !state.includes("minimised") && (ids.has(id) || pids.has(pid)));
}

async function lookInto(
  { platform, isBlind, timeoutMs }: CoverOptions,
  windows: readonly Window[],
  layers: readonly Layer[],
  part: Bounds,
): Promise<Result<Look>> {
  const reads = windows.length === 0 ? succeed([]) : await platform.readWindows(requestFor(windows, timeoutMs, false));
  // Without an accessibility bus no application tells anything, as one without a tree does not; else it is no picture.
  if (!reads.ok && reads.failure.code !== "UNAVAILABLE") return reads;
  const known = reads.ok ? reads.value : [];
  const covered: Covered[] = [];
  const secrets: Element[] = [];
  for (const read of known) {
    const index = layers.findIndex(({ windowId }) => windowId === read.window.id);
    // What an application shows in a pop-up of its own lies over its windows.
    const above = layers.slice(0, Math.max(0, index)).filter(({ pid }) => pid !== read.window.pid);
    const own = judge(read, listOwnLayers(read.window, layers));
    secrets.push(...own.secrets);
    for (const one of own.covered) {
      covered.push(...listVisible(one.bounds, above, part).map((bounds) => ({ ...one, bounds })));
    }
  }
  layers.forEach((layer, index) => {
    if (!isBlind(layer.names)) return;
    for (const bounds of listVisible(layer.bounds, layers.slice(0, index), part)) {
      covered.push({ what: "blind", bounds, app: "" });
    }
  });
  return succeed({ layers, covered, secrets });
}

/** A window, and everything of its process that no window list has. */
function listOwnLayers({ id, pid, bounds }: Window, layers: readonly Layer[]): readonly Bounds[] {
  const popups = layers.filter((one) => one.windowId === undefined && one.pid === pid && pid !== 0);
  return [layers.find(({ windowId }) => windowId === id)?.bounds ?? bounds, ...popups.map((one) => one.bounds)];
}

/** What is seen of a place in a part of the screen, where others lie over it. */
function listVisible(place: Bounds, above: readonly Layer[], part: Bounds): Bounds[] {
  const inPart = intersect(place, part);
  if (inPart === undefined) return [];
  return subtract(
    inPart,
    above.flatMap(({ opaque }) => opaque),
  );
}

function describeGone({ title }: Window): Failure {
  const message = `the window ${quoteText(title)} is gone`;
  return { code: "NOT_FOUND", message, suggestion: "deskmap list shows every window.", done: nothingDone };
}

interface WindowLook extends Judged {
  readonly bounds: Bounds | undefined;
}

async function lookAtWindow({ platform, timeoutMs }: CoverOptions, window: Window): Promise<Result<WindowLook>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const now = list.value.windows.find(({ id }) => id === window.id);
  if (now === undefined) return fail(describeGone(window));
  // What lies off the screen is in the picture too, and is read only with what is hidden.
  const isWhole = containsBounds(list.value.screen, now.bounds);
  const reads = await platform.readWindows(requestFor([now], timeoutMs, !isWhole));
  if (!reads.ok && reads.failure.code !== "UNAVAILABLE") return reads;
  const [read] = reads.ok ? reads.value : [];
  const judged = read === undefined ? nothing : judge(read, [now.bounds], list.value.screen);
  return succeed({ ...judged, bounds: now.bounds });
}

function requestFor(windows: readonly Window[], timeoutMs: number, includeHidden: boolean) {
  return { windows, includeHidden, timeoutMs, isForPicture: true };
}

/** An application that has a tree and did not tell all of it. */
function isUntold({ notes }: WindowRead): boolean {
  return notes.some(({ code }) => code === "TIMEOUT" || code === "FAILED");
}

interface Judged {
  readonly covered: readonly Covered[];
  readonly secrets: readonly Element[];
}

const nothing: Judged = { covered: [], secrets: [] };

function judge(read: WindowRead, places: readonly Bounds[], screen?: Bounds): Judged {
  const { app, bounds: whole, title } = read.window;
  if (isUntold(read)) return { covered: places.map((bounds) => ({ what: "unread", bounds, app })), secrets: [] };
  const secrets = read.root === undefined ? [] : findSecrets(read.root, screen);
  // One that has no place may be anywhere in it.
  const found = secrets.map(({ bounds }) => (bounds === undefined ? whole : grow(bounds, marginPx)));
  if (isMasked(title)) found.push(findTitleBar(whole, read.root?.bounds));
  return { covered: found.map((bounds) => ({ what: "secret", bounds, app })), secrets };
}

/** Of a window that draws its bar itself, as much as that may take. */
const [leastBarPx, ownBarPx] = [10, 48];

function findTitleBar(whole: Bounds, inside: Bounds | undefined): Bounds {
  const above = inside === undefined ? whole.height : inside.y - whole.y;
  return { ...whole, height: Math.min(above < leastBarPx ? ownBarPx : above, whole.height) };
}

/** What shows a secret. The innermost counts: what holds it may be called by it. */
function findSecrets(element: Element, screen: Bounds | undefined, isTop = true): Element[] {
  const { states, bounds, name, value, children } = element;
  // What is hidden is in the picture only where it lies off the screen.
  const isOff = screen !== undefined && bounds !== undefined && !containsBounds(screen, bounds);
  const isShown = !states.has("hidden") || isOff;
  if (states.has("secret")) return isShown ? [element] : [];
  const inside = children.flatMap((child) => findSecrets(child, screen, false));
  const isOwn = inside.length === 0 && isShown && !isTop && (isMasked(name) || isMasked(value));
  return isOwn ? [element] : inside;
}

function isSameArrangement(before: readonly Layer[], after: readonly Layer[], part: Bounds): boolean {
  const inPart = (layers: readonly Layer[]): readonly Layer[] =>
    layers.filter(({ bounds }) => intersect(bounds, part) !== undefined);
  const [old, now] = [inPart(before), inPart(after)];
  return (
    old.length === now.length && old.every(({ id, bounds }, at) => now[at]?.id === id && isSame(now[at].bounds, bounds))
  );
}

function isSame(a: Bounds | undefined, b: Bounds | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}
