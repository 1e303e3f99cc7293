import type { DemoEvidence } from "../../model/demo.ts";
import type { Failure } from "../../model/failure.ts";
import type { StepRef } from "../file.ts";

/** What became of one step. */
export interface StepOutcome {
  /** From 1, as the file has them. */
  readonly n: number;
  readonly words: string;
  readonly state: "done" | "skipped" | "would" | "not-there" | "stopped";
  readonly verdict?: string | undefined;
  readonly tookMs: number;
  readonly notes: readonly string[];
}

/** Why a replay ended before its last step. */
export interface Stop {
  readonly n: number;
  readonly words: string;
  readonly failure: Failure;
  /** As a command's: 1 not done, 2 wrong usage, 3 refused, 4 delivered but not as it was recorded. */
  readonly exitCode: number;
  readonly pictures?: StopPictures | undefined;
  /** The window of the step at the stop, in lines. */
  readonly tree?: readonly string[] | undefined;
}

/** PNG files, base64. */
interface StopPictures {
  /** Around the control, before the recorded step. */
  readonly recorded?: string | undefined;
  /** The window at the stop. */
  readonly now?: string | undefined;
}

/** A ref that would find a control whose recorded ref does not fit it any more. */
export interface Proposal {
  readonly step: number;
  readonly was: StepRef;
  readonly ref: StepRef;
  readonly evidence: readonly DemoEvidence[];
  readonly why: string;
}

export interface ReplayReport {
  readonly demo: string;
  readonly from: number;
  readonly to: number;
  readonly steps: readonly StepOutcome[];
  readonly stop?: Stop | undefined;
  readonly tookMs: number;
  /** How many steps may have had an effect. */
  readonly delivered: number;
  readonly proposals: readonly Proposal[];
}

export function exitCodeOfReplay({ stop }: ReplayReport): number {
  return stop?.exitCode ?? 0;
}
