import type { MarkedElement } from "./view.ts";
import type { Window } from "./window.ts";

/** Whether a condition is met, after how long, and why. */
export interface Outcome {
  readonly isMet: boolean;
  readonly afterMs: number;
  readonly element: MarkedElement | undefined;
  readonly window: Window | undefined;
  /** What was observed. */
  readonly words: string;
}
