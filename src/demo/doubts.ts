import { type Failure, makeFailure } from "../model/failure.ts";
import type { Step } from "./file.ts";

/** Doubts about what a replay finds out itself: whether its ref finds one control. Places have a permission of their own. */
const tried = /^its ref found|it was not tested whether its ref|^coordinates only|known by its coordinates only$/;

/** Why a step may be another than was meant, known when it was recorded; only a person can settle that. */
export function listOpenDoubts({ doubts = [] }: Step): readonly string[] {
  return doubts.filter((doubt) => !tried.test(doubt));
}

/** A step in words, with what the person who is asked about it must know. */
export function describeWithDoubts(words: string, step: Step): string {
  return [words, ...listOpenDoubts(step).map((doubt) => `doubtful: ${doubt}`)].join("; ");
}

export function refuseDoubtful(step: Step): Failure | undefined {
  const doubts = listOpenDoubts(step);
  if (doubts.length === 0) return undefined;
  const message = `it was recorded with a doubt: ${doubts.join("; ")}`;
  const settle = "look at it with deskmap demo show; if it is right, deskmap demo edit --sure settles that for ever";
  return makeFailure("UNAVAILABLE", message, `${settle}, and --allow-doubtful for one replay`);
}
