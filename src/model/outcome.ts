import type { MarkedElement } from "./view.ts";
import type { Window } from "./window.ts";

/** Whether a condition holds, since when, and by what. */
export interface Outcome {
  readonly isMet: boolean;
  readonly afterMs: number;
  readonly element: MarkedElement | undefined;
  readonly window: Window | undefined;
  /** What is there. */
  readonly words: string;
}
