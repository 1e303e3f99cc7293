import type { Point } from "./bounds.ts";
import type { Result } from "./failure.ts";
import type { Ref } from "./ref.ts";
import type { Role } from "./role.ts";
import type { Learned, Moment } from "./target.ts";
import type { Located } from "./view.ts";

/** Everything about one mark: what it is now, and what is remembered of it. */
export interface Portrait {
  /** The number that it is shown under, where it was asked for by another that means it. */
  readonly mark: number;
  /** As it is on the screen; or why nothing on it is this control. */
  readonly now: Result<Located>;
  readonly remembered: {
    readonly ref: Omit<Ref, "runtimeId">;
    /** Where to press, from the upper left corner of the window. */
    readonly clickPoint: Point | undefined;
    readonly learned: Learned;
    readonly feedback: string;
  };
  /** How far it was relied on, oldest first. */
  readonly moments: readonly Moment[];
  /** Only where it was asked for. */
  readonly again: Again | undefined;
}

/** How it would be found again among what is there, if nothing but its description were left of it. */
export interface Again {
  /** How surely its mark leads to it as things are: by its very object, by its look, or not beyond doubt. */
  readonly certainty: "object" | "look" | "elsewhere" | "renamed" | "twins" | "disguise" | "missing";
  readonly verdict: "match" | "not-found" | "ambiguous";
  /** Whether the likeliest one is the control itself. */
  readonly isItself: boolean;
  /** How sure it is that the likeliest is meant, from 0 to 1, and how much surer than of the next. */
  readonly score: number;
  readonly margin: number;
  /** What spoke for it and against it, the weightiest first. */
  readonly evidence: readonly Clue[];
  /** The likeliest, best first. */
  readonly nearest: readonly Candidate[];
  /** How many were weighed, and how many were there. */
  readonly weighed: number;
  readonly present: number;
}

interface Clue {
  readonly feature: string;
  /** same, close, near, far, lost, gained, neither. */
  readonly level: string;
  /** Above 0 it speaks for it. */
  readonly weight: number;
}

export interface Candidate {
  readonly mark: number | undefined;
  readonly role: Role;
  readonly name: string;
  readonly score: number;
  /** What speaks less for it than for the likeliest, and by how much. */
  readonly lacks: readonly Clue[];
}
