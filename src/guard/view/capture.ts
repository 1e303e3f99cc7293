import { type Bounds, intersect } from "../../model/bounds.ts";
import { type Result, succeed } from "../../model/failure.ts";
import type { Covered, Picture } from "../../model/frame.ts";
import { grow, subtract } from "../../model/region.ts";
import type { Window } from "../../model/window.ts";
import type { ScreenSurface } from "../../platform/port.ts";
import { areStill, findMisreporting } from "./check-places.ts";
import { findChange, paintOver } from "./paint.ts";
import {
  type CoverOptions,
  holdsSecret,
  listCovered,
  type Scan,
  scanScreen,
  scanWindow,
  type WindowScan,
} from "./scan.ts";

/** A part of the screen with secrets and blind applications painted over. */
export async function captureScreenCovered(options: CoverOptions, part: Bounds): Promise<Result<Picture>> {
  const { platform } = options;
  return captureCovered(options, {
    scan: () => scanScreen(options, part),
    take: () => platform.captureScreen(part),
    async isArranged({ surfaces }) {
      const now = await platform.listSurfaces();
      return now.ok ? succeed(isSameArrangement(surfaces, now.value, part)) : now;
    },
  });
}

/** A window or a part of it, without what covers it, with secrets painted over. */
export async function captureWindowCovered(
  options: CoverOptions,
  window: Window,
  part: Bounds | undefined,
): Promise<Result<Picture>> {
  const { platform } = options;
  return captureCovered(options, {
    scan: () => scanWindow(options, window),
    take: () => platform.captureWindow(window, part),
    async isArranged({ windows: [before] }) {
      const list = await platform.listWindows();
      if (!list.ok) return list;
      const now = list.value.windows.find(({ id }) => id === window.id);
      return succeed(isSame(now?.bounds, before?.window.bounds));
    },
  });
}

interface Subject {
  scan(): Promise<Result<Scan>>;
  take(): Promise<Result<Picture>>;
  /** Whether all windows are still where a scan found them. */
  isArranged(scan: Scan): Promise<Result<boolean>>;
}

/** Attempts to capture a moving window, and how often it may report wrong places. */
const [maxAttempts, maxMisreports] = [5, 2];
/** Browsers report the place of a moving element late; its pixels show the move at once. */
const calmMs = 50;

async function captureCovered(options: CoverOptions, subject: Subject): Promise<Result<Picture>> {
  const scans: Scan[] = [];
  const known = new Map<string, string>();
  const misreporting = new Set<number>();
  let first: Picture | undefined;
  let before = await subject.take();
  for (let [attempt, misreports] = [1, 0]; ; attempt += 1) {
    if (!before.ok) return before;
    const scan = await subject.scan();
    if (!scan.ok) return scan;
    const picture = await subject.take();
    if (!picture.ok) return picture;
    first ??= picture.value;
    scans.push(scan.value);
    const held = scan.value.windows.filter(holdsSecret);
    const isQuick = held.length === 0;
    const isTrue = isQuick || (await arePlacesTrue(options, scan.value, misreporting));
    const later = isQuick ? picture : await subject.take();
    if (!later.ok) return later;
    const [isArranged, isStill] = await Promise.all([
      subject.isArranged(scan.value),
      areStill(
        options,
        held.flatMap(({ secrets }) => secrets),
        known,
      ),
    ]);
    if (!isArranged.ok) return isArranged;
    const others = [before.value, later.value];
    const isSettled = isStill && isArranged.value && isCalm(scan.value, picture.value, others);
    if (isSettled && isTrue) return succeed(paintOver(picture.value, listCovered(scan.value)));
    misreports += isSettled ? 1 : 0;
    before = later;
    if (attempt < maxAttempts && misreports < maxMisreports && !(isQuick && isArranged.value)) continue;
    // Something moves in a window without a known secret: one may just have appeared.
    const again = await subject.scan();
    if (!again.ok) return again;
    scans.push(again.value);
    const hasNone = !scans.some(({ windows }) => windows.some(holdsSecret));
    if (attempt < maxAttempts && misreports < maxMisreports && !hasNone) continue;
    const moving = {
      picture: picture.value,
      others: [first, ...others],
      scans,
      misreporting,
      isArranged: isArranged.value,
    };
    return succeed(paintOver(picture.value, coverMoving(moving)));
  }
}

/** Checks the reported places, and meanwhile gives moving pixels time to show. */
async function arePlacesTrue(options: CoverOptions, { windows }: Scan, misreporting: Set<number>): Promise<boolean> {
  const wait = new Promise((resolve) => setTimeout(resolve, calmMs));
  const [found] = await Promise.all([findMisreporting(options, windows), wait]);
  for (const id of found) misreporting.add(id);
  return found.size === 0;
}

/** Whether nothing but the secrets changed in the windows that hold one; without any secret, in all that have a tree. */
function isCalm({ windows }: Scan, picture: Picture, others: readonly Picture[]): boolean {
  const held = windows.filter(holdsSecret);
  const watched = held.length > 0 ? held : windows.filter(({ hasTree }) => hasTree);
  return watched.every(({ seen, covered }) => {
    const places = covered.map(({ bounds }) => bounds);
    const open = seen.flatMap((one) => subtract(one, places));
    return findChange(picture, others, open) === undefined;
  });
}

function isSameArrangement(before: readonly ScreenSurface[], after: readonly ScreenSurface[], part: Bounds): boolean {
  const inPart = (surfaces: readonly ScreenSurface[]): readonly ScreenSurface[] =>
    surfaces.filter(({ bounds }) => intersect(bounds, part) !== undefined);
  const [old, now] = [inPart(before), inPart(after)];
  return (
    old.length === now.length && old.every(({ id, bounds }, at) => now[at]?.id === id && isSame(now[at].bounds, bounds))
  );
}

function isSame(a: Bounds | undefined, b: Bounds | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}

/** How far something can move during a scan. */
const aroundPx = 120;
/** Edges are antialiased. */
const edgePx = 16;

interface MovingCapture {
  readonly picture: Picture;
  /** The same place, before and after. */
  readonly others: readonly Picture[];
  /** All scans; the last one was made after the picture. */
  readonly scans: readonly Scan[];
  readonly misreporting: ReadonlySet<number>;
  /** Whether all windows were where the last scan but one found them when the picture was taken. */
  readonly isArranged: boolean;
}

/**
 * What to cover if something moved. Applications report the place of a moving element late, and browsers do not report
 * all moves. So a window that reported different places is covered whole. Of any other window the reported places are
 * covered, and the area that contains all changed pixels, since a moving field must be among those.
 */
function coverMoving(capture: MovingCapture): readonly Covered[] {
  const { scans, picture, isArranged } = capture;
  const windows = Map.groupBy(
    scans.flatMap((scan) => scan.windows),
    ({ window }) => window.id,
  );
  const held = [...windows.values()].filter((views) => views.some(({ places }) => places.length > 0));
  const isKept =
    areAllAlike(scans.map(({ blind }) => toBounds(blind))) &&
    held.every((views) => areAllAlike(views.map(({ whole }) => whole.slice(0, 1))));
  // Its present place is unknown: everything is covered.
  if (!isKept && !isArranged) return [{ what: "unread", bounds: picture.bounds, app: "" }];
  const blind = scans.flatMap((scan) => (isArranged ? scan.blindSeen : scan.blind));
  return [...blind, ...held.flatMap((views) => coverWindow(capture, views))];
}

function coverWindow(capture: MovingCapture, views: readonly WindowScan[]): readonly Covered[] {
  const { picture, others, scans, misreporting, isArranged } = capture;
  const [first] = views;
  if (first === undefined) return [];
  const { app, id } = first.window;
  const places = views.flatMap((view) => (isArranged ? view.covered : view.places));
  const own = views.flatMap(({ seen, whole }) => (isArranged ? seen : [...seen, ...whole]));
  const isConstant = views.length === scans.length && areAllAlike(views.map((view) => toBounds(view.places)));
  if (!isConstant || misreporting.has(id)) return own.map((bounds) => ({ what: "secret", bounds, app }));
  const wide = places.map((one) => (one.what === "secret" ? { ...one, bounds: grow(one.bounds, aroundPx) } : one));
  const change = views.some(holdsSecret) ? findChange(picture, others, own) : undefined;
  return change === undefined ? wide : [...wide, { what: "secret", bounds: grow(change, edgePx), app }];
}

function toBounds(covered: readonly Covered[]): readonly Bounds[] {
  return covered.map(({ bounds }) => bounds);
}

function areAllAlike(lists: readonly (readonly Bounds[])[]): boolean {
  const keyOf = ({ x, y, width, height }: Bounds): string => [x, y, width, height].join();
  return new Set(lists.map((list) => list.map(keyOf).join(" "))).size < 2;
}
