import { findDeepest, isInOpenList } from "../find/hit.ts";
import { containsPoint, type Point } from "../model/bounds.ts";
import { type Element, flatten, listWithPaths, type Placed } from "../model/element.ts";
import type { Result } from "../model/failure.ts";
import type { PersonInput } from "../model/person-input.ts";
import type { Snapshot, WindowRead } from "../model/snapshot.ts";
import { isSameApplication, type Window, type Withheld } from "../model/window.ts";
import type { Kept } from "../platform/port.ts";

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
  /** Where something was drawn that had not been read then. */
  readonly drawn: Kept["drawn"];
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

/** Input that was noticed later than this may have met another screen. */
const longestLagMs = 40;

/**
 * Why what is known of a window at a moment may not be what a person met there. What is reported after the input may be
 * its effect, and was not there before it.
 */
export function findDoubt(moment: Moment, window: Window, { lagMs, atMs }: Timing, point?: Point): string | undefined {
  if (lagMs > longestLagMs) return `it was noticed ${Math.round(lagMs)} ms late`;
  const unreadMs = moment.unread.get(window.id) ?? Number.POSITIVE_INFINITY;
  if (unreadMs < atMs) return "its window had just reported changes that were not read yet";
  const isDrawn =
    point !== undefined && moment.drawn.some(({ bounds, sinceMs }) => sinceMs < atMs && containsPoint(bounds, point));
  return isDrawn ? "something had just been drawn there that was not read yet" : undefined;
}
