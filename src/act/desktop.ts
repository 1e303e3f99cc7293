import type { Guard } from "../guard/guard.ts";
import type { Desktop } from "../look.ts";

/** A desktop that may also be acted on: every action goes through the guard. */
export interface ActingDesktop extends Desktop {
  readonly guard: Guard;
}
