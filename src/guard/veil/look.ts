import { type Bounds, containsBounds, intersect } from "../../model/bounds.ts";
import type { Element, Placed } from "../../model/element.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { Covered } from "../../model/frame.ts";
import { quoteText } from "../../model/plain-text.ts";
import { grow, subtract } from "../../model/region.ts";
import { isMasked } from "../../model/secrets-in-text.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import type { Window } from "../../model/window.ts";
import type { Platform, ScreenSurface } from "../../platform/port.ts";

export interface CoverOptions {
  /** Reads come redacted, everything else as it is. */
  readonly platform: Pick<
    Platform,
    "listWindows" | "listSurfaces" | "readWindows" | "glimpse" | "askWhatIsAt" | "captureScreen" | "captureWindow"
  >;
  readonly isBlind: (names: readonly string[]) => boolean;
  /** Time allowed for each application to tell what is in its windows. */
  readonly timeoutMs: number;
  /** Told of every window that a picture shows. */
  readonly onShown: (windows: readonly Window[]) => void;
}

/** What is on the screen, and what of it must not be in a picture. */
export interface Look {
  readonly surfaces: readonly ScreenSurface[];
  readonly windows: readonly WindowLook[];
  /** Layers that are not to be looked at, and what is seen of them. */
  readonly blind: readonly Covered[];
  readonly blindSeen: readonly Covered[];
}

export interface WindowLook {
  readonly window: Window;
  /** Whether its application has a tree at all. */
  readonly hasTree: boolean;
  /** What must be covered, to see whether it is still where it was, and whether it is there at all. */
  readonly secrets: readonly Placed[];
  /** Where that is, whatever lies over it. */
  readonly places: readonly Covered[];
  /** What is seen of these places. */
  readonly covered: readonly Covered[];
  /** Everything that is its own, and what is seen of that. */
  readonly whole: readonly Bounds[];
  readonly seen: readonly Bounds[];
}

/** Places are rounded, and a letter may stand out a little. */
const marginPx = 2;

export function listCovered({ windows, blindSeen }: Look): readonly Covered[] {
  return [...windows.flatMap(({ covered }) => covered), ...blindSeen];
}

export function holdsSecret({ places }: WindowLook): boolean {
  return places.some(({ what }) => what === "secret");
}

export async function lookAtScreen(options: CoverOptions, part: Bounds): Promise<Result<Look>> {
  const [surfaces, list] = await Promise.all([options.platform.listSurfaces(), options.platform.listWindows()]);
  if (!surfaces.ok) return surfaces;
  if (!list.ok) return list;
  const shown = findShown(options, surfaces.value, list.value.windows, part);
  options.onShown(shown);
  return lookInto(options, shown, surfaces.value, part);
}

/** The windows of which something is in the picture, or in whose pop-ups something may be. */
function findShown(
  { isBlind }: CoverOptions,
  surfaces: readonly ScreenSurface[],
  windows: readonly Window[],
  part: Bounds,
): readonly Window[] {
  const seen = surfaces.filter((surface, index) => {
    return !isBlind(surface.names) && listVisible(surface.bounds, surfaces.slice(0, index), part).length > 0;
  });
  const ids = new Set(seen.map(({ windowId }) => windowId));
  const pids = new Set(seen.filter(({ windowId, pid }) => windowId === undefined && pid !== 0).map(({ pid }) => pid));
  return windows.filter(({ id, pid, state }) => !state.includes("minimised") && (ids.has(id) || pids.has(pid)));
}

async function lookInto(
  { platform, isBlind, timeoutMs }: CoverOptions,
  windows: readonly Window[],
  surfaces: readonly ScreenSurface[],
  part: Bounds,
): Promise<Result<Look>> {
  const reads = windows.length === 0 ? succeed([]) : await platform.readWindows(requestFor(windows, timeoutMs, false));
  // Without an accessibility bus no application tells anything, as one without a tree does not; else it is no picture.
  if (!reads.ok && reads.failure.code !== "UNAVAILABLE") return reads;
  const looks = (reads.ok ? reads.value : []).map((read): WindowLook => {
    const index = surfaces.findIndex(({ windowId }) => windowId === read.window.id);
    // What an application shows in a pop-up of its own lies over its windows.
    const above = surfaces.slice(0, Math.max(0, index)).filter(({ pid }) => pid !== read.window.pid);
    const whole = listOwnSurfaces(read.window, surfaces);
    const { places, secrets } = judge(read, whole);
    const covered = places.flatMap((one) => listVisible(one.bounds, above, part).map((bounds) => ({ ...one, bounds })));
    const seen = whole.flatMap((one) => listVisible(one, above, part));
    return { window: read.window, hasTree: read.root !== undefined, secrets, places, covered, whole, seen };
  });
  const blind = surfaces.filter(({ names }) => isBlind(names));
  const blindSeen = blind.flatMap((one) => listVisible(one.bounds, surfaces.slice(0, surfaces.indexOf(one)), part));
  return succeed({
    surfaces,
    windows: looks,
    blind: blind.map(({ bounds }) => toBlind(bounds)),
    blindSeen: blindSeen.map(toBlind),
  });
}

function toBlind(bounds: Bounds): Covered {
  return { what: "blind", bounds, app: "" };
}

/** A window, and everything of its process that no window list has. */
function listOwnSurfaces({ id, pid, bounds }: Window, surfaces: readonly ScreenSurface[]): readonly Bounds[] {
  const popups = surfaces.filter((one) => one.windowId === undefined && one.pid === pid && pid !== 0);
  return [surfaces.find(({ windowId }) => windowId === id)?.bounds ?? bounds, ...popups.map((one) => one.bounds)];
}

/** What is seen of a place in a part of the screen, where others lie over it. */
function listVisible(place: Bounds, above: readonly ScreenSurface[], part: Bounds): Bounds[] {
  const inPart = intersect(place, part);
  if (inPart === undefined) return [];
  return subtract(
    inPart,
    above.flatMap(({ opaque }) => opaque),
  );
}

/** All of a picture of a window is the window's. */
const everywhere: Bounds = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };

export async function lookAtWindow({ platform, timeoutMs }: CoverOptions, window: Window): Promise<Result<Look>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const now = list.value.windows.find(({ id }) => id === window.id);
  if (now === undefined) return fail(describeGone(window));
  // What lies off the screen is in the picture too, and is read only with what is hidden.
  const isWhole = containsBounds(list.value.screen, now.bounds);
  const reads = await platform.readWindows(requestFor([now], timeoutMs, !isWhole));
  if (!reads.ok && reads.failure.code !== "UNAVAILABLE") return reads;
  const [read] = reads.ok ? reads.value : [];
  const { places, secrets } = read === undefined ? nothing : judge(read, [now.bounds], list.value.screen);
  const hasTree = read?.root !== undefined;
  const [whole, seen] = [[now.bounds], [everywhere]];
  return succeed({
    surfaces: [],
    windows: [{ window: now, hasTree, secrets, places, covered: places, whole, seen }],
    blind: [],
    blindSeen: [],
  });
}

function describeGone({ title }: Window): Failure {
  const message = `the window ${quoteText(title)} is gone`;
  return { code: "NOT_FOUND", message, suggestion: "deskmap list shows every window.", done: nothingDone };
}

function requestFor(windows: readonly Window[], timeoutMs: number, includeHidden: boolean) {
  return { windows, includeHidden, timeoutMs, isForPicture: true };
}

/** An application that has a tree and did not tell all of it. */
function isUntold({ notes }: WindowRead): boolean {
  return notes.some(({ code }) => code === "TIMEOUT" || code === "FAILED");
}

type Judged = Pick<WindowLook, "places" | "secrets">;

const nothing: Judged = { places: [], secrets: [] };

function judge(read: WindowRead, own: readonly Bounds[], screen?: Bounds): Judged {
  const { app, bounds: whole, title } = read.window;
  if (isUntold(read)) return { places: own.map((bounds) => ({ what: "unread", bounds, app })), secrets: [] };
  const secrets = read.root === undefined ? [] : findSecrets(read.root, screen, []);
  // One that has no place may be anywhere in it.
  const found = secrets.map(({ element: { bounds } }) => (bounds === undefined ? whole : grow(bounds, marginPx)));
  if (isMasked(title)) found.push(findTitleBar(whole, read.root?.bounds));
  return { places: found.map((bounds) => ({ what: "secret", bounds, app })), secrets };
}

/** Of a window that draws its bar itself, as much as that may take. */
const [leastBarPx, ownBarPx] = [10, 48];

function findTitleBar(whole: Bounds, inside: Bounds | undefined): Bounds {
  const above = inside === undefined ? whole.height : inside.y - whole.y;
  return { ...whole, height: Math.min(above < leastBarPx ? ownBarPx : above, whole.height) };
}

/** What shows a secret. The innermost counts: what holds it may be called by it. */
function findSecrets(element: Element, screen: Bounds | undefined, ancestors: readonly Element[]): Placed[] {
  const { states, bounds, name, value, children } = element;
  // What is hidden is in the picture only where it lies off the screen.
  const isOff = screen !== undefined && bounds !== undefined && !containsBounds(screen, bounds);
  const isShown = !states.has("hidden") || isOff;
  if (states.has("secret")) return isShown ? [{ element, ancestors }] : [];
  const path = [...ancestors, element];
  const inside = children.flatMap((child) => findSecrets(child, screen, path));
  const isTop = ancestors.length === 0;
  const isOwn = inside.length === 0 && isShown && !isTop && (isMasked(name) || isMasked(value));
  return isOwn ? [{ element, ancestors }] : inside;
}
