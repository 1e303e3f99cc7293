import { type Bounds, containsBounds, intersect } from "../../model/bounds.ts";
import type { Element, Placed } from "../../model/element.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Covered } from "../../model/frame.ts";
import { quoteText } from "../../model/plain-text.ts";
import { grow, subtract } from "../../model/region.ts";
import { isMasked } from "../../model/secrets-in-text.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import type { Window } from "../../model/window.ts";
import type { Platform, ScreenSurface } from "../../platform/port.ts";

export interface CoverOptions {
  /** `readWindows` is redacted, everything else is not. */
  readonly platform: Pick<
    Platform,
    "listWindows" | "listSurfaces" | "readWindows" | "glimpse" | "askWhatIsAt" | "captureScreen" | "captureWindow"
  >;
  readonly isBlind: (names: readonly string[]) => boolean;
  /** Time allowed for each application to report its windows. */
  readonly timeoutMs: number;
  readonly onShown: (windows: readonly Window[]) => void;
}

/** What is on the screen, and which parts of it a picture must not show. */
export interface Scan {
  readonly surfaces: readonly ScreenSurface[];
  readonly windows: readonly WindowScan[];
  /** Surfaces of blind applications, and their visible parts. */
  readonly blind: readonly Covered[];
  readonly blindSeen: readonly Covered[];
}

export interface WindowScan {
  readonly window: Window;
  readonly hasTree: boolean;
  /** The elements to cover, kept to check later that they have not moved. */
  readonly secrets: readonly Placed[];
  /** Their places, including parts that other windows cover. */
  readonly places: readonly Covered[];
  readonly covered: readonly Covered[];
  /** The window and its pop-ups, and their visible parts. */
  readonly whole: readonly Bounds[];
  readonly seen: readonly Bounds[];
}

/** Places are rounded, and letters may extend a little beyond them. */
const marginPx = 2;

export function listCovered({ windows, blindSeen }: Scan): readonly Covered[] {
  return [...windows.flatMap(({ covered }) => covered), ...blindSeen];
}

export function holdsSecret({ places }: WindowScan): boolean {
  return places.some(({ what }) => what === "secret");
}

export async function scanScreen(options: CoverOptions, part: Bounds): Promise<Result<Scan>> {
  const [surfaces, list] = await Promise.all([options.platform.listSurfaces(), options.platform.listWindows()]);
  if (!surfaces.ok) return surfaces;
  if (!list.ok) return list;
  const shown = findShown(options, surfaces.value, list.value.windows, part);
  options.onShown(shown);
  return scanWindows(options, shown, surfaces.value, part);
}

/** The windows that are in the picture, or whose pop-ups may be. */
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

async function scanWindows(
  { platform, isBlind, timeoutMs }: CoverOptions,
  windows: readonly Window[],
  surfaces: readonly ScreenSurface[],
  part: Bounds,
): Promise<Result<Scan>> {
  const reads = windows.length === 0 ? succeed([]) : await platform.readWindows(requestFor(windows, timeoutMs, false));
  // Without an accessibility bus no application has a tree, which is allowed; any other failure is one of the capture.
  if (!reads.ok && reads.failure.code !== "UNAVAILABLE") return reads;
  const scans = (reads.ok ? reads.value : []).map((read): WindowScan => {
    const index = surfaces.findIndex(({ windowId }) => windowId === read.window.id);
    // An application's own pop-ups are above its windows.
    const above = surfaces.slice(0, Math.max(0, index)).filter(({ pid }) => pid !== read.window.pid);
    const whole = listOwnSurfaces(read.window, surfaces);
    const { places, secrets } = findPlaces(read, whole);
    const covered = places.flatMap((one) => listVisible(one.bounds, above, part).map((bounds) => ({ ...one, bounds })));
    const seen = whole.flatMap((one) => listVisible(one, above, part));
    return { window: read.window, hasTree: read.root !== undefined, secrets, places, covered, whole, seen };
  });
  const blind = surfaces.filter(({ names }) => isBlind(names));
  const blindSeen = blind.flatMap((one) => listVisible(one.bounds, surfaces.slice(0, surfaces.indexOf(one)), part));
  return succeed({
    surfaces,
    windows: scans,
    blind: blind.map(({ bounds }) => toBlind(bounds)),
    blindSeen: blindSeen.map(toBlind),
  });
}

function toBlind(bounds: Bounds): Covered {
  return { what: "blind", bounds, app: "" };
}

/** A window, and the surfaces of its process that are in no window list. */
function listOwnSurfaces({ id, pid, bounds }: Window, surfaces: readonly ScreenSurface[]): readonly Bounds[] {
  const popups = surfaces.filter((one) => one.windowId === undefined && one.pid === pid && pid !== 0);
  return [surfaces.find(({ windowId }) => windowId === id)?.bounds ?? bounds, ...popups.map((one) => one.bounds)];
}

/** The visible parts of a place within a part of the screen. */
function listVisible(place: Bounds, above: readonly ScreenSurface[], part: Bounds): Bounds[] {
  const inPart = intersect(place, part);
  if (inPart === undefined) return [];
  return subtract(
    inPart,
    above.flatMap(({ opaque }) => opaque),
  );
}

/** A window's own picture shows nothing else. */
const everywhere: Bounds = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };

export async function scanWindow({ platform, timeoutMs }: CoverOptions, window: Window): Promise<Result<Scan>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const now = list.value.windows.find(({ id }) => id === window.id);
  if (now === undefined) return fail(describeGone(window));
  // The picture also shows what is off the screen, which is only read together with hidden elements.
  const isWhole = containsBounds(list.value.screen, now.bounds);
  const reads = await platform.readWindows(requestFor([now], timeoutMs, !isWhole));
  if (!reads.ok && reads.failure.code !== "UNAVAILABLE") return reads;
  const [read] = reads.ok ? reads.value : [];
  const { places, secrets } = read === undefined ? nothing : findPlaces(read, [now.bounds], list.value.screen);
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
  return makeFailure("NOT_FOUND", `the window ${quoteText(title)} is gone`, "deskmap list shows every window.");
}

function requestFor(windows: readonly Window[], timeoutMs: number, includeHidden: boolean) {
  return { windows, includeHidden, timeoutMs, isForPicture: true };
}

/** Whether an application has a tree, and something that it shows was not read. */
function isIncomplete({ notes }: WindowRead): boolean {
  return notes.some(
    ({ code, areas }) => code === "TIMEOUT" || code === "FAILED" || (code === "TRUNCATED" && areas !== undefined),
  );
}

type Found = Pick<WindowScan, "places" | "secrets">;

const nothing: Found = { places: [], secrets: [] };

function findPlaces(read: WindowRead, own: readonly Bounds[], screen?: Bounds): Found {
  const { app, bounds: whole, title } = read.window;
  if (isIncomplete(read)) return { places: own.map((bounds) => ({ what: "unread", bounds, app })), secrets: [] };
  const secrets = read.root === undefined ? [] : findSecrets(read.root, screen, []);
  // A secret without a place may be anywhere in the window.
  const found = secrets.map(({ element: { bounds } }) => (bounds === undefined ? whole : grow(bounds, marginPx)));
  if (isMasked(title)) found.push(findTitleBar(whole, read.root?.bounds));
  return { places: found.map((bounds) => ({ what: "secret", bounds, app })), secrets };
}

/** Height of the title bar of a window that draws its own. */
const [leastBarPx, ownBarPx] = [10, 48];

function findTitleBar(whole: Bounds, inside: Bounds | undefined): Bounds {
  const above = inside === undefined ? whole.height : inside.y - whole.y;
  return { ...whole, height: Math.min(above < leastBarPx ? ownBarPx : above, whole.height) };
}

/** The elements that show a secret: the innermost ones, since a container may be named after its content. */
function findSecrets(element: Element, screen: Bounds | undefined, ancestors: readonly Element[]): Placed[] {
  const { states, bounds, name, value, children } = element;
  // A hidden element is in the picture only if it is off the screen.
  const isOff = screen !== undefined && bounds !== undefined && !containsBounds(screen, bounds);
  const isShown = !states.has("hidden") || isOff;
  if (states.has("secret")) return isShown ? [{ element, ancestors }] : [];
  const path = [...ancestors, element];
  const inside = children.flatMap((child) => findSecrets(child, screen, path));
  const isTop = ancestors.length === 0;
  const isOwn = inside.length === 0 && isShown && !isTop && (isMasked(name) || isMasked(value));
  return isOwn ? [{ element, ancestors }] : inside;
}
