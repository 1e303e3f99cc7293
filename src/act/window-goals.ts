import { describePlace } from "../changes/compare.ts";
import { containsBounds, intersect } from "../model/bounds.ts";
import type { WindowOperation } from "../model/command.ts";
import { quoteText } from "../model/plain-text.ts";
import type { Window } from "../model/window.ts";
import type { WindowList } from "../platform/port.ts";
import type { Progress } from "./window-wait.ts";

/** What is seen of what was wanted, in words. */
export interface Sighting {
  readonly progress: Progress;
  readonly evidence: readonly string[];
}

export interface Before {
  readonly window: Window;
  readonly list: WindowList;
}

/** `focus` is the front with the keyboard; every other goal is that of the operation of its name. */
export type Goal = WindowOperation | { readonly name: "focus" };

/** Whether there is anything to do at all. */
export function isReached(goal: Goal, before: Before): boolean {
  if (goal.name === "close") return false;
  if (goal.name === "restore") return before.window.state.length === 0;
  return sight(goal, before, before.list).progress === "done";
}

/** How far a goal has come, by the window list alone. */
export function sight(goal: Goal, before: Before, list: WindowList): Sighting {
  const now = list.windows.find(({ id }) => id === before.window.id);
  if (goal.name === "close") return sightClosing(before, list, now);
  if (now === undefined) return { progress: "some", evidence: ["the window is gone"] };
  switch (goal.name) {
    case "front":
      return sightFront(list, now);
    case "focus":
      return sightFocus(list, now);
    case "back":
      return sightBack(before, list, now);
    case "minimize":
      return tell(now.state.includes("minimised"), "it is minimised", "it is not minimised");
    case "maximize":
      return tell(isShown(now) && now.state.includes("maximised"), "it is maximised", "it is not maximised");
    case "fullscreen":
      return sightFullscreen(list, now);
    case "restore":
      return sightRestored(before.window, now);
    case "move":
      return sightPlace(before.window, now, {
        isThere: now.bounds.x === goal.x && now.bounds.y === goal.y,
        wanted: `${goal.x},${goal.y}`,
        reason: "the window manager keeps it there",
      });
    case "resize":
      return sightPlace(before.window, now, {
        isThere: now.bounds.width === goal.width && now.bounds.height === goal.height,
        wanted: `${goal.width}x${goal.height}`,
        reason: "its steps (the cells of a terminal), its limits or the window manager decide the rest",
      });
  }
}

function sightClosing(before: Before, list: WindowList, now: Window | undefined): Sighting {
  if (now === undefined) return { progress: "done", evidence: ["the window is gone"] };
  const asks = list.windows.filter(
    ({ id, pid }) => pid === now.pid && before.list.windows.every((known) => known.id !== id),
  );
  if (asks.length === 0) return { progress: "none", evidence: ["the window is still there"] };
  const titles = asks.map(({ id, title }) => `${quoteText(title)} (window ${id})`).join(", ");
  return { progress: "some", evidence: [`the window is still there: its application asks ${titles}`] };
}

/** Nothing hides it; what does not lie over it (a panel, for example) may well be kept above. */
function sightFront(list: WindowList, now: Window): Sighting {
  if (!isShown(now)) return { progress: "none", evidence: ["it is minimised"] };
  const above = list.windows.filter((one) => one.zOrder < now.zOrder && isShown(one) && overlap(one, now));
  if (above.length === 0) return { progress: "done", evidence: ["it is in front"] };
  if (now.isFocused) {
    return { progress: "some", evidence: [`it is the active window, but ${listTitles(above)} is kept above it`] };
  }
  // A dialog stays above its window; whether one of its application's windows is such a dialog cannot be told from here.
  const isOwn = now.pid !== 0 && above.every(({ pid }) => pid === now.pid);
  return { progress: isOwn ? "some" : "none", evidence: [`${listTitles(above)} is above it`] };
}

function sightFocus(list: WindowList, now: Window): Sighting {
  // What is above it in the order may be on another work space, and not be seen at all.
  if (now.isFocused) return { progress: isShown(now) ? "done" : "none", evidence: ["it is the active window"] };
  const active = list.windows.find(({ isFocused }) => isFocused);
  const isOwn = active !== undefined && active.pid === now.pid && active.pid !== 0;
  const who = active === undefined ? "no window" : quoteText(active.title);
  return { progress: isOwn ? "some" : "none", evidence: [`${who} is the active window`] };
}

function sightBack({ window }: Before, list: WindowList, now: Window): Sighting {
  const behind = list.windows.filter((one) => one.zOrder > now.zOrder && isShown(one) && !isBackdrop(one, list));
  if (behind.length === 0) return { progress: "done", evidence: ["it is behind every other window"] };
  return {
    progress: now.zOrder > window.zOrder ? "some" : "none",
    evidence: [`${listTitles(behind)} is behind it`],
  };
}

/** A file manager's desktop: the last of all, over a whole monitor, and neither maximised nor filling the screen. */
function isBackdrop({ bounds, state, zOrder }: Window, { windows, monitors }: WindowList): boolean {
  const isLast = windows.every((other) => other.zOrder <= zOrder);
  return (
    isLast &&
    state.length === 0 &&
    monitors.some(({ bounds: whole }) => bounds.width >= whole.width && bounds.height >= whole.height)
  );
}

/** A window of fixed size may be given the state and stay as small as it was. */
function sightFullscreen({ monitors }: WindowList, now: Window): Sighting {
  if (!isShown(now) || !now.state.includes("fullscreen")) return tell(false, "", "it does not fill the screen");
  const isWhole = monitors.length === 0 || monitors.some(({ bounds }) => containsBounds(now.bounds, bounds));
  return isWhole
    ? tell(true, "it fills the screen", "")
    : { progress: "some", evidence: [`it is fullscreen, but only ${describePlace(now)}`] };
}

/** Out of the state it was in: minimised before fullscreen before maximised, as a window manager would. */
function sightRestored(before: Window, now: Window): Sighting {
  const left = (["minimised", "fullscreen", "maximised"] as const).find((state) => before.state.includes(state));
  if (left === undefined) return { progress: "done", evidence: [] };
  return tell(!now.state.includes(left), `it is no longer ${left}`, `it is still ${left}`);
}

function sightPlace(
  before: Window,
  now: Window,
  { isThere, wanted, reason }: { readonly isThere: boolean; readonly wanted: string; readonly reason: string },
): Sighting {
  if (isThere) return { progress: "done", evidence: [`it is ${describePlace(now)}`] };
  const hasMoved = describePlace(now) !== describePlace(before);
  return hasMoved
    ? { progress: "some", evidence: [`asked for ${wanted}, it is ${describePlace(now)}: ${reason}`] }
    : { progress: "none", evidence: [`it is still ${describePlace(now)}`] };
}

function tell(isSo: boolean, yes: string, no: string): Sighting {
  return { progress: isSo ? "done" : "none", evidence: [isSo ? yes : no] };
}

function isShown({ state }: Window): boolean {
  return !state.includes("minimised");
}

function overlap(a: Window, b: Window): boolean {
  return intersect(a.bounds, b.bounds) !== undefined;
}

function listTitles(windows: readonly Window[]): string {
  return windows.map(({ title }) => quoteText(title)).join(", ");
}
