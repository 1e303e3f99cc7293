import type { Danger } from "../policy/policy.ts";

/** Why a person should know of a command first. */
export interface Warning {
  readonly danger: Danger;
  /** What makes it so: `it says "Delete"`. */
  readonly because: string;
}
