import { compareWindows } from "../changes/compare.ts";
import type { Gate } from "../guard/gate.ts";
import type { Guard } from "../guard/guard.ts";
import { type Effect, noChanges, type Verdict } from "../model/effect.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { quoteText } from "../model/plain-text.ts";
import type { Window } from "../model/window.ts";
import type { WindowList } from "../platform/port.ts";
import { type Before, type Goal, isReached, sight } from "./window-goals.ts";
import { type Progress, type WindowLister, waitForWindows } from "./window-wait.ts";

export interface WindowActing {
  readonly platform: WindowLister;
  readonly guard: Pick<Guard, "run">;
}

export interface ActOptions {
  /** How long the effect may take to show. */
  readonly timeoutMs: number;
  readonly isDryRun: boolean;
}

const verdictOf: Readonly<Record<Progress, Verdict>> = { done: "confirmed", some: "partial", none: "no-change" };

/** Has a window arranged, and looks until the window list shows it. */
export function arrange(
  { platform, guard }: WindowActing,
  window: Window,
  goal: Goal,
  options: ActOptions,
): Promise<Result<Effect>> {
  const tool = goal.name === "focus" ? "focus" : "window";
  return guard.run({ tool, ...options }, (gate) => arrangeThrough(platform, gate, window, goal, options));
}

async function arrangeThrough(
  platform: WindowLister,
  gate: Gate,
  window: Window,
  goal: Goal,
  { timeoutMs, isDryRun }: ActOptions,
): Promise<Result<Effect>> {
  const list = await platform.listWindows();
  if (!list.ok) return list;
  const fresh = list.value.windows.find(({ id }) => id === window.id);
  if (fresh === undefined) {
    const message = `the window ${quoteText(window.title)} is gone`;
    return fail(makeFailure("NOT_FOUND", message, "deskmap list shows every window."));
  }
  const before: Before = { window: fresh, list: list.value };
  const tool = goal.name === "focus" ? "focus" : "window";
  const effect = {
    intent: goal.name === "focus" ? "focus" : `window ${goal.name}`,
    target: { window: fresh, words: `the window ${quoteText(fresh.title)}` },
    way: goal.name === "close" ? "a request to the window" : "the window manager",
    passedOver: [],
    evidence: [],
    changes: noChanges,
    isDelivered: false,
    isRetrySafe: true,
  };
  if (isReached(goal, before)) {
    return succeed({ ...effect, verdict: "confirmed", way: "nothing needed", evidence: ["it already was"] });
  }
  if (isDryRun) return succeed({ ...effect, verdict: "refused" });
  const operation = goal.name === "focus" ? { name: "front" as const } : goal;
  const delivered = await gate.carryOut({ kind: "window", window: fresh, operation }, { tool, window: fresh });
  if (!delivered.ok) return delivered;
  const watched = {
    before: list.value,
    isConcerned: ({ id }: Window) => id === fresh.id,
    judge: (now: WindowList) => sight(goal, before, now).progress,
  };
  const after = await waitForWindows(platform, watched, timeoutMs);
  if (!after.ok) return after;
  const { progress, evidence } = sight(goal, before, after.value);
  return succeed({
    ...effect,
    verdict: verdictOf[progress],
    evidence,
    changes: compareWindows(list.value.windows, after.value.windows, watched.isConcerned),
    isDelivered: true,
    // A second request to close would meet the question that the first has raised.
    isRetrySafe: goal.name !== "close",
  });
}
