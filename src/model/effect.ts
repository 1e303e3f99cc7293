import type { WindowAspect } from "./change-line.ts";
import type { DemoTarget } from "./demo-ref.ts";
import type { MarkedElement } from "./view.ts";
import type { Window } from "./window.ts";

/**
 * What an action did, as observed:
 *
 *  confirmed     the wanted result is visible
 *  partial       part of it is visible
 *  unverified    delivered, but nothing can show the result
 *  no-change     delivered, everything was read again, and nothing changed
 *  wrong-target  something other than the target changed as the target should have
 *  would         a dry run: nothing was delivered
 */
export const verdicts = ["confirmed", "partial", "unverified", "no-change", "wrong-target", "would"] as const;
export type Verdict = (typeof verdicts)[number];

/** An alternative that was not used, and why. */
export interface PassedOver {
  readonly way: string;
  readonly why: string;
}

export type ElementAspect = "name" | "value" | "states" | "focus";

/** The old and new value, states or name. */
export interface Difference<What = ElementAspect | WindowAspect> {
  readonly what: What;
  readonly before: string;
  readonly after: string;
}

interface ChangeOf<Shown> {
  readonly element: Shown;
  readonly differences: readonly Difference<ElementAspect>[];
}

/** What changed on the screen; of what appeared or disappeared only the outermost elements. */
export interface ChangesOf<Shown> {
  readonly appeared: readonly Shown[];
  readonly gone: readonly Shown[];
  /** Of what is still there: how many elements inside it are gone, where there are too many to list. */
  readonly goneInside: readonly { readonly element: Shown; readonly count: number }[];
  /** Each as it is now. */
  readonly changed: readonly ChangeOf<Shown>[];
  /** Many controls that only became usable or unusable together; they are not in `changed`. */
  readonly switched: readonly { readonly isDisabled: boolean; readonly changed: readonly ChangeOf<Shown>[] }[];
  readonly openedWindows: readonly Window[];
  readonly closedWindows: readonly Window[];
  readonly changedWindows: readonly {
    readonly window: Window;
    readonly differences: readonly Difference<WindowAspect>[];
  }[];
  /** How many differences are not listed. */
  readonly leftOut: number;
}

export type Changes = ChangesOf<MarkedElement>;

export const noChanges: ChangesOf<never> = {
  appeared: [],
  gone: [],
  goneInside: [],
  changed: [],
  switched: [],
  openedWindows: [],
  closedWindows: [],
  changedWindows: [],
  leftOut: 0,
};

export interface Effect {
  readonly verdict: Verdict;
  /** The tool's name for it: "click", "set-value", "window maximize". */
  readonly intent: string;
  /** An element, else a window, else only a text ("the point 10,20", "the clipboard"). */
  readonly target: { readonly element?: MarkedElement; readonly window?: Window; readonly words: string };
  /** The target as a demo describes it, seen before the action; undefined for a dry run. */
  readonly aimed?: DemoTarget | undefined;
  /** How it was done, or would be: "action click", "pointer", "keys". */
  readonly way: string;
  readonly passedOver: readonly PassedOver[];
  /** The observations behind the verdict. */
  readonly evidence: readonly string[];
  readonly changes: Changes;
  readonly isDelivered: boolean;
  readonly isRetrySafe: boolean;
}

/** The parts of an effect that has not been delivered, or only planned in a dry run. */
export const undelivered = {
  verdict: "would",
  passedOver: [],
  evidence: [],
  changes: noChanges,
  isDelivered: false,
  isRetrySafe: true,
} as const satisfies Partial<Effect>;

/** 0 confirmed, 4 delivered but not confirmed, 1 not done. A dry run succeeds when it has reported its plan. */
export function exitCodeOfEffect({ verdict, isDelivered }: Effect): number {
  if (verdict === "confirmed" || verdict === "would") return 0;
  return isDelivered ? 4 : 1;
}
