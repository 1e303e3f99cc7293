import type { MarkedElement } from "./view.ts";
import type { Window } from "./window.ts";

/**
 * What an action did, as it was observed:
 *
 *   confirmed     what was wanted is seen
 *   partial       a part of it is seen
 *   unverified    it was delivered; nothing here can show what it did
 *   no-change     it was delivered, everything was looked at again, and nothing is different
 *   wrong-target  something else than the target changed as the target should have
 *   refused       nothing was delivered (also a dry run)
 */
export type Verdict = "confirmed" | "partial" | "unverified" | "no-change" | "wrong-target" | "refused";

/** A way of doing a thing that was not taken, and why. */
export interface PassedOver {
  readonly way: string;
  readonly why: string;
}

/** What a value, a state or a name was and is. */
export interface Difference {
  readonly what: "name" | "value" | "states" | "focus" | "title" | "place";
  readonly before: string;
  readonly after: string;
}

interface ChangedElement {
  readonly element: MarkedElement;
  readonly differences: readonly Difference[];
}

/** What is different on the screen; the outermost of what came or went stands for all that is in it. */
export interface Changes {
  readonly appeared: readonly MarkedElement[];
  readonly gone: readonly MarkedElement[];
  readonly changed: readonly ChangedElement[];
  readonly openedWindows: readonly Window[];
  readonly closedWindows: readonly Window[];
  readonly changedWindows: readonly { readonly window: Window; readonly differences: readonly Difference[] }[];
  /** How many more differences there are than are listed. */
  readonly leftOut: number;
}

export const noChanges: Changes = {
  appeared: [],
  gone: [],
  changed: [],
  openedWindows: [],
  closedWindows: [],
  changedWindows: [],
  leftOut: 0,
};

export interface Effect {
  readonly verdict: Verdict;
  /** What was wanted, in the words of the tool: "click", "set-value", "window maximize". */
  readonly intent: string;
  /** To what: an element, else a window, else only words ("the point 10,20", "the clipboard"). */
  readonly target: { readonly element?: MarkedElement; readonly window?: Window; readonly words: string };
  /** How it was done, or would be: "action click", "pointer", "keys". */
  readonly way: string;
  readonly passedOver: readonly PassedOver[];
  /** What was seen that led to the verdict. */
  readonly evidence: readonly string[];
  readonly changes: Changes;
  readonly isDelivered: boolean;
  /** Whether doing it once more can do no harm. */
  readonly isRetrySafe: boolean;
}

/** 0 confirmed, 4 delivered but not confirmed, 1 not done. A dry run is done when it has told what it would do. */
export function exitCodeOfEffect({ verdict, isDelivered }: Effect): number {
  if (verdict === "confirmed" || verdict === "refused") return 0;
  return isDelivered ? 4 : 1;
}
