import { compareWindows, describePlace } from "../changes/compare.ts";
import type { Guard } from "../guard/guard.ts";
import { containsBounds, intersect } from "../model/bounds.ts";
import type { WindowOperation } from "../model/command.ts";
import { type Effect, undelivered, type Verdict } from "../model/effect.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteText } from "../model/plain-text.ts";
import type { Window } from "../model/window.ts";
import type { WindowList } from "../platform/port.ts";
import type { ActOptions } from "./desktop.ts";
import { type Progress, type WindowLister, waitForWindows } from "./window-wait.ts";

export interface WindowActing {
  readonly platform: WindowLister;
  readonly guard: Pick<Guard, "run">;
}

/** `focus` is the front with the keyboard; every other goal is that of the operation of its name. */
export type Goal = WindowOperation | { readonly name: "focus" };

/** The window and the list before the operation. */
interface Before {
  readonly window: Window;
  readonly list: WindowList;
}

/** How far a goal is reached, and what shows it. */
interface Assessment {
  readonly progress: Progress;
  readonly evidence: readonly string[];
}

const verdictOf: Readonly<Record<Progress, Verdict>> = { done: "confirmed", some: "partial", none: "no-change" };

/** Has the window manager change a window, and waits until the window list shows the result. */
export function arrange(
  { platform, guard }: WindowActing,
  window: Window,
  goal: Goal,
  options: ActOptions,
): Promise<Result<Effect>> {
  const tool = goal.name === "focus" ? "focus" : "window";
  return guard.run({ tool, ...options }, async (gate) => {
    const list = await platform.listWindows();
    if (!list.ok) return list;
    const fresh = list.value.windows.find(({ id }) => id === window.id);
    if (fresh === undefined) {
      const message = `the window ${quoteText(window.title)} is gone`;
      return fail(makeFailure("NOT_FOUND", message, "deskmap list shows every window."));
    }
    const before: Before = { window: fresh, list: list.value };
    const effect = {
      ...undelivered,
      intent: goal.name === "focus" ? "focus" : `window ${goal.name}`,
      target: { window: fresh, words: `the window ${quoteText(fresh.title)}` },
      way: goal.name === "close" ? "a request to the window" : "the window manager",
    };
    if (isReached(goal, before)) {
      return succeed({ ...effect, verdict: "confirmed", way: "nothing needed", evidence: ["it already was"] });
    }
    if (options.isDryRun) return succeed(effect);
    const operation = goal.name === "focus" ? { name: "front" as const } : goal;
    const delivered = await gate.carryOut({ kind: "window", window: fresh, operation }, { tool, window: fresh });
    if (!delivered.ok) return delivered;
    const watched = {
      before: list.value,
      isConcerned: ({ id }: Window) => id === fresh.id,
      judge: (now: WindowList) => assess(goal, before, now).progress,
    };
    const after = await waitForWindows(platform, watched, options.timeoutMs);
    if (!after.ok) return after;
    const { progress, evidence } = assess(goal, before, after.value);
    return succeed({
      ...effect,
      verdict: verdictOf[progress],
      evidence,
      changes: compareWindows(list.value.windows, after.value.windows, watched.isConcerned),
      isDelivered: true,
      // The first request to close may have opened a question; a second one would go to that.
      isRetrySafe: goal.name !== "close",
    });
  });
}

function isReached(goal: Goal, before: Before): boolean {
  if (goal.name === "close") return false;
  if (goal.name === "restore") return before.window.state.length === 0;
  return assess(goal, before, before.list).progress === "done";
}

/** By the window list alone. */
function assess(goal: Goal, before: Before, list: WindowList): Assessment {
  const now = list.windows.find(({ id }) => id === before.window.id);
  if (goal.name === "close") return assessClosing(before, list, now);
  if (now === undefined) return { progress: "some", evidence: ["the window is gone"] };
  switch (goal.name) {
    case "front":
      return assessFront(list, now);
    case "focus":
      return assessFocus(list, now);
    case "back":
      return assessBack(before, list, now);
    case "minimize":
      return either(now.state.includes("minimised"), "it is minimised", "it is not minimised");
    case "maximize":
      return either(isShown(now) && now.state.includes("maximised"), "it is maximised", "it is not maximised");
    case "fullscreen":
      return assessFullscreen(list, now);
    case "restore":
      return assessRestored(before.window, now);
    case "move":
      return assessPlace(before.window, now, {
        isThere: now.bounds.x === goal.x && now.bounds.y === goal.y,
        wanted: `${goal.x},${goal.y}`,
        reason: "the window manager keeps it there",
      });
    case "resize":
      return assessPlace(before.window, now, {
        isThere: now.bounds.width === goal.width && now.bounds.height === goal.height,
        wanted: `${goal.width}x${goal.height}`,
        reason: "its steps (the cells of a terminal), its limits or the window manager decide the rest",
      });
  }
}

function assessClosing(before: Before, list: WindowList, now: Window | undefined): Assessment {
  if (now === undefined) return { progress: "done", evidence: ["the window is gone"] };
  const asks = list.windows.filter(
    ({ id, pid }) => pid === now.pid && before.list.windows.every((known) => known.id !== id),
  );
  if (asks.length === 0) return { progress: "none", evidence: ["the window is still there"] };
  const titles = asks.map(({ id, title }) => `${quoteText(title)} (window ${id})`).join(", ");
  return { progress: "some", evidence: [`the window is still there: its application asks ${titles}`] };
}

/** Nothing may cover it; windows above that do not overlap it, such as a panel, do not matter. */
function assessFront(list: WindowList, now: Window): Assessment {
  if (!isShown(now)) return { progress: "none", evidence: ["it is minimised"] };
  const above = list.windows.filter((one) => one.zOrder < now.zOrder && isShown(one) && overlap(one, now));
  if (above.length === 0) return { progress: "done", evidence: ["it is in front"] };
  if (now.isFocused) {
    return { progress: "some", evidence: [`it is the active window, but ${listTitles(above)} is kept above it`] };
  }
  // A dialog stays above its window, and the window list does not say which windows are dialogs.
  const isOwn = now.pid !== 0 && above.every(({ pid }) => pid === now.pid);
  return { progress: isOwn ? "some" : "none", evidence: [`${listTitles(above)} is above it`] };
}

function assessFocus(list: WindowList, now: Window): Assessment {
  // The stacking order does not count: windows above it may be on another workspace.
  if (now.isFocused) return { progress: isShown(now) ? "done" : "none", evidence: ["it is the active window"] };
  const active = list.windows.find(({ isFocused }) => isFocused);
  const isOwn = active !== undefined && active.pid === now.pid && active.pid !== 0;
  const who = active === undefined ? "no window" : quoteText(active.title);
  return { progress: isOwn ? "some" : "none", evidence: [`${who} is the active window`] };
}

function assessBack({ window }: Before, list: WindowList, now: Window): Assessment {
  const behind = list.windows.filter((one) => one.zOrder > now.zOrder && isShown(one) && !isBackdrop(one, list));
  if (behind.length === 0) return { progress: "done", evidence: ["it is behind every other window"] };
  return {
    progress: now.zOrder > window.zOrder ? "some" : "none",
    evidence: [`${listTitles(behind)} is behind it`],
  };
}

/** A file manager's desktop window: at the back, as large as a monitor, neither maximised nor fullscreen. */
function isBackdrop({ bounds, state, zOrder }: Window, { windows, monitors }: WindowList): boolean {
  const isLast = windows.every((other) => other.zOrder <= zOrder);
  return (
    isLast &&
    state.length === 0 &&
    monitors.some(({ bounds: whole }) => bounds.width >= whole.width && bounds.height >= whole.height)
  );
}

/** A window of fixed size may get the state without changing its size. */
function assessFullscreen({ monitors }: WindowList, now: Window): Assessment {
  if (!isShown(now) || !now.state.includes("fullscreen")) return either(false, "", "it does not fill the screen");
  const isWhole = monitors.length === 0 || monitors.some(({ bounds }) => containsBounds(now.bounds, bounds));
  return isWhole
    ? either(true, "it fills the screen", "")
    : { progress: "some", evidence: [`it is fullscreen, but only ${describePlace(now)}`] };
}

/** Leaves one state: minimised before fullscreen before maximised, as a window manager does. */
function assessRestored(before: Window, now: Window): Assessment {
  const left = (["minimised", "fullscreen", "maximised"] as const).find((state) => before.state.includes(state));
  if (left === undefined) return { progress: "done", evidence: [] };
  return either(!now.state.includes(left), `it is no longer ${left}`, `it is still ${left}`);
}

function assessPlace(
  before: Window,
  now: Window,
  { isThere, wanted, reason }: { readonly isThere: boolean; readonly wanted: string; readonly reason: string },
): Assessment {
  if (isThere) return { progress: "done", evidence: [`it is ${describePlace(now)}`] };
  const hasMoved = describePlace(now) !== describePlace(before);
  return hasMoved
    ? { progress: "some", evidence: [`asked for ${wanted}, it is ${describePlace(now)}: ${reason}`] }
    : { progress: "none", evidence: [`it is still ${describePlace(now)}`] };
}

function either(isSo: boolean, yes: string, no: string): Assessment {
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
