import { findDeepest, isInOpenList } from "../find/hit.ts";
import { type Bounds, containsBounds, containsPoint, type Point } from "../model/bounds.ts";
import type { Shot } from "../model/demo.ts";
import { type Element, flatten, listWithPaths, type Placed } from "../model/element.ts";
import type { Result } from "../model/failure.ts";
import type { PersonInput } from "../model/person-input.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import { isSameApplication, type Window, type Withheld } from "../model/window.ts";
import type { DrawnArea, Kept } from "../platform/port.ts";

/** What was on the screen at one moment, without what may not be seen. */
export interface Moment {
  readonly atMs: number;
  readonly windows: readonly Window[];
  readonly withheld: readonly Withheld[];
  /** The window that has the keyboard; also one that is withheld. */
  readonly focusedId: number | undefined;
  /** By window id. */
  readonly reads: ReadonlyMap<number, WindowRead>;
  /** Of which windows something was reported that had not been read then, and since when. */
  readonly unread: Kept["unread"];
  /** The same, of what may have hidden or covered something. */
  readonly shifted: Kept["shifted"];
  /** The same, of what has told a place, perhaps its old one. */
  readonly moved: Kept["moved"];
  /** When what is known of each window last changed, and the list of windows. */
  readonly changed: Kept["changed"];
  readonly listChangedMs: number;
  /** Where something was drawn that had not been read then. */
  readonly drawn: Kept["drawn"];
  readonly popups: Kept["popups"];
}

/** When an input happened, and how much later it was noticed. */
export type Timing = Pick<PersonInput, "atMs" | "lagMs">;

/** How a listener sees the desktop, through the redacted view. */
export interface Eyes {
  /** What is known now; what happens after the call is not in it. */
  keep(): Promise<Result<Moment>>;
  /** The same, with these windows read again. */
  readAgain(windows: readonly Window[]): Promise<Result<Moment>>;
  /** The window that input at a point reaches, asked now; a refusal if it may not be seen. */
  findWindowAt(point: Point): Promise<Result<Window | undefined>>;
  /** Whether something changed within the time. */
  waitForChange(withinMs: number): Promise<boolean>;
}

/** An input with what was known when it came. */
export interface Seen<Input extends PersonInput = PersonInput> {
  readonly input: Input;
  readonly moment: Promise<Result<Moment>>;
  /** For input at a point. */
  readonly window: Promise<Result<Window | undefined>> | undefined;
  /** What was known when that window was told. */
  readonly later: Promise<Result<Moment>> | undefined;
  /** When the press or key before it came. */
  readonly afterPressMs?: number | undefined;
  /** If pictures are taken. */
  readonly shot?: Promise<Shot | undefined> | undefined;
}

/** All windows of an application at a moment, as the functions of map/ take them. */
export function snapshotOf(moment: Moment, window: Window): Snapshot {
  const own = moment.windows.filter((one) => isSameApplication(one, window));
  const windows = own.flatMap(({ id }) => moment.reads.get(id) ?? []);
  return { takenAtMs: moment.atMs, windows, all: moment.windows, includeHidden: false };
}

/** The element at a point of a window; undefined if that is only the window itself. */
export function findUnder(read: WindowRead | undefined, point: Point): Placed | undefined {
  const hit = read?.root && findDeepest(read.root, point);
  return hit === undefined || hit.element === read?.root ? undefined : hit;
}

/** Whether a menu is open and a press beside it only closes it, in most toolkits. */
export function isBesideMenu(read: WindowRead | undefined, point: Point): boolean {
  const hit = findUnder(read, point);
  if (hit === undefined || hit.element.role === "menu" || isInOpenList(hit.element, hit.ancestors)) return false;
  const isOpen = ({ element, ancestors }: Placed): boolean =>
    element.role === "menuitem" && !element.states.has("hidden") && isInOpenList(element, ancestors);
  return listWithPaths(read?.root).some(isOpen);
}

/**
 * Whether a menu or list with a window of its own was open at a point, and what was found there is not in it: then the
 * list had not been read, and what was found lies behind it.
 */
export function isBehindPopup(
  { popups }: Moment,
  { pid }: Window,
  point: Point,
  { atMs }: Pick<Timing, "atMs">,
  found: Placed,
): boolean {
  return popups.some(({ pid: owner, bounds, sinceMs, untilMs }) => {
    if (owner !== pid || sinceMs >= atMs || untilMs < atMs) return false;
    return bounds === undefined || (containsPoint(bounds, point) && !isShownIn(bounds, found));
  });
}

/**
 * A long list is larger than the window that shows it. Of other pop-ups a container fills most of the window, but for a
 * shadow; the first ancestor is the application's own window.
 */
function isShownIn(popup: Bounds, { element, ancestors }: Placed): boolean {
  const fills = ({ bounds }: Element): boolean =>
    bounds !== undefined && isWithin(bounds, popup) && 3 * areaOf(bounds) >= areaOf(popup);
  return isInOpenList(element, ancestors) || ancestors.slice(1).some(fills);
}

function areaOf({ width, height }: Bounds): number {
  return width * height;
}

/** The innermost element that says it has the focus; a field before others, since Qt's tabs always say so. */
export function findFocused(read: WindowRead | undefined): Element | undefined {
  const focused = listOf(read).filter(({ states }) => states.has("focused"));
  return focused.findLast(({ states }) => states.has("editable") || states.has("secret")) ?? focused.at(-1);
}

export function findByHandle(moment: Moment, handle: string): Element | undefined {
  for (const read of moment.reads.values()) {
    const found = listOf(read).find((one) => one.handle === handle);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function hasSecrets(read: WindowRead | undefined): boolean {
  return listOf(read).some(({ states }) => states.has("secret"));
}

export function listOf(read: WindowRead | undefined): readonly Element[] {
  return read?.root === undefined ? [] : flatten([read.root]);
}

/** Input that was noticed later than this may have met another screen, if something has changed since. */
const longestLagMs = 40;

/** A reason to doubt what is known. */
export interface Doubt {
  readonly why: string;
  /** Whether it is no doubt if the same element is still at its place afterwards. */
  readonly isTestable: boolean;
}

/**
 * Why what is known of a window at a moment may not be what a person met there. What is reported after the input may be
 * its effect, and was not there before it.
 */
export function findDoubt(
  moment: Moment,
  { id }: Window,
  { lagMs, atMs }: Timing,
  at?: { readonly point: Point; readonly element: Element | undefined },
): Doubt | undefined {
  const reportedMs = [moment.shifted, moment.moved].map((shifts) => shifts.get(id)?.sinceMs ?? 0);
  const lastMs = Math.max(moment.changed.get(id) ?? 0, moment.listChangedMs, ...reportedMs);
  if (lagMs > longestLagMs && lastMs >= atMs) {
    return { why: `it was noticed ${Math.round(lagMs)} ms late`, isTestable: false };
  }
  const isBefore = (sinceMs = Number.POSITIVE_INFINITY): boolean => sinceMs < atMs;
  const doubts: Doubt[] = [];
  if (isBefore(moment.unread.get(id))) {
    const { sinceMs, areas } = moment.shifted.get(id) ?? { sinceMs: Number.POSITIVE_INFINITY, areas: [] };
    const isThere = areas === undefined || areas.some((area) => at !== undefined && containsPoint(area, at.point));
    // What has the keyboard does not depend on places.
    const isTestable = at !== undefined && !(isBefore(sinceMs) && isThere);
    doubts.push({ why: "its window had just reported changes that were not read yet", isTestable });
  }
  const drawn = moment.drawn.filter(
    ({ bounds, sinceMs }) => at !== undefined && isBefore(sinceMs) && containsPoint(bounds, at.point),
  );
  if (drawn.length > 0) {
    const isOwn = ({ bounds, isReported }: DrawnArea): boolean => isReported || isWithin(bounds, at?.element?.bounds);
    const why = "something had just been drawn there that was not read yet";
    doubts.push({ why, isTestable: drawn.every(isOwn) });
  }
  return doubts.find(({ isTestable }) => !isTestable) ?? doubts[0];
}

/** Whether something at a point may have changed its place between two times, by what was reported then and not read yet. */
export function isShiftedAt(
  shifts: Moment["shifted" | "moved"],
  { id }: Window,
  point: Point,
  [sinceMs, untilMs]: readonly [number, number],
): boolean {
  const shift = shifts.get(id);
  if (shift === undefined || shift.sinceMs < sinceMs || shift.sinceMs >= untilMs) return false;
  return shift.areas === undefined || shift.areas.some((area) => containsPoint(area, point));
}

/** A frame or a shadow may be drawn around an element. */
const marginPx = 6;

/** Whether only the element itself was drawn, as when the pointer comes over it. */
function isWithin(area: Bounds, own: Bounds | undefined): boolean {
  if (own === undefined) return false;
  const { x, y, width, height } = own;
  const [left, top] = [x - marginPx, y - marginPx];
  return containsBounds({ x: left, y: top, width: width + 2 * marginPx, height: height + 2 * marginPx }, area);
}
