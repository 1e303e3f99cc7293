import type { Point } from "./bounds.ts";
import type { DemoTarget } from "./demo-ref.ts";
import type { Result } from "./failure.ts";
import type { StoredRef } from "./ref.ts";
import type { Clue, Resolved } from "./resolved.ts";
import type { Role } from "./role.ts";
import type { Learned, Moment } from "./target.ts";
import type { Located } from "./view.ts";

/** Everything about one mark, now and remembered. */
export interface ElementDescription {
  /** The number it is shown under, even if an alias was requested. */
  readonly mark: number;
  /** The control on the screen, or why there is none. */
  readonly now: Result<Located>;
  readonly remembered: {
    readonly ref: StoredRef;
    /** Where to click, relative to the window's upper left corner. */
    readonly clickPoint: Point | undefined;
    readonly learned: Learned;
    readonly feedback: string;
  };
  /** Its confidence over time, oldest first. */
  readonly moments: readonly Moment[];
  /** Only if requested. */
  readonly again: Again | undefined;
  /** As demos describe it; only if requested, and it is there. */
  readonly portable?: DemoTarget | undefined;
}

export const certainties = ["object", "look", "elsewhere", "renamed", "twins", "disguise", "missing"] as const;

/** How the control would be found by its description alone. */
export interface Again extends Resolved {
  /** How certainly the mark leads to it now: by its object, by its appearance, or with doubt. */
  readonly certainty: (typeof certainties)[number];
  readonly isItself: boolean;
  readonly nearest: readonly Candidate[];
  /** How many candidates were compared, and how many there were. */
  readonly weighed: number;
  readonly present: number;
}

export interface Candidate {
  readonly mark: number | undefined;
  readonly role: Role;
  readonly name: string;
  readonly score: number;
  /** The evidence it lacks compared with the best candidate. */
  readonly lacks: readonly Clue[];
}
