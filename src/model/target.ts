import type { Bounds, Point } from "./bounds.ts";
import type { LearnerRole } from "./role.ts";
import { isSeenSource, type Source } from "./source.ts";

/**
 * What was learned about one control, as counts. Confidence is derived from them, so that merging counts in any order
 * gives the same result.
 */
export interface Learned {
  readonly mark: number;
  readonly source: Source;
  /** The detector's confidence, if the source is not the platform. */
  readonly certainty: number | undefined;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Reads in which it was at the same position, and at another. */
  readonly same: number;
  readonly moved: number;
  /** Reads of its container that did not include it since. Closed menus and other tabs are not read. */
  readonly missing: number;
  readonly hits: number;
  readonly misses: number;
  /** The taught name; empty if there is none. */
  readonly taught: string;
  readonly parent: number | undefined;
  readonly depth: number;
  readonly visualHash: string;
  readonly layoutVersion: number;
}

/** A control's confidence at some time, and its counts until then. */
export interface Moment {
  readonly atMs: number;
  readonly confidence: number;
  readonly hits: number;
  readonly misses: number;
}

/** A control for text-only agents: its present state with what was learned. */
export interface Target extends Learned {
  readonly app: string;
  readonly window: string;
  readonly role: LearnerRole;
  readonly label: string;
  /** In physical screen pixels; undefined if its window is absent or no position is known. */
  readonly bounds: Bounds | undefined;
  readonly clickPoint: Point | undefined;
  readonly confidence: number;
  /** Whether it was used successfully before, or taught. */
  readonly isLearned: boolean;
  /** Whether only the map knows it: it was not seen in this read and cannot be acted on. */
  readonly isStale: boolean;
}

/** The weight of each observation. */
const worth = { platform: 0.95, taught: 0.8, vision: 0.8, same: 0.1, hit: 0.05, miss: 0.15, gone: 0.8 } as const;
const [least, most] = [0.1, 0.99];

/** A control's confidence, 0.1 to 0.99. */
export function judgeConfidence(
  learned: Pick<Learned, "source" | "certainty" | "same" | "missing" | "hits" | "misses">,
) {
  const { same, missing, hits, misses } = learned;
  const reached = Math.min(most, startingFrom(learned) + worth.same * same + worth.hit * hits);
  // One failure in a hundred tries is not one failure in one try: misses count by their share of all tries.
  const counted = misses === 0 ? 0 : (misses * (misses + 1)) / (hits + misses + 1);
  const judged = Math.max(least, Math.min(most, reached - worth.miss * counted));
  return Math.max(least, judged * worth.gone ** missing);
}

/** How far something can be relied on that is seen for the first time. */
export function firstConfidence(source: Source, certainty: number | undefined): number {
  const agreed = source === "a11y+vision" ? worth.same : 0;
  return Math.max(least, Math.min(most, startingFrom({ source, certainty }) + agreed));
}

function startingFrom({ source, certainty }: Pick<Learned, "source" | "certainty">): number {
  if (isSeenSource(source)) return (certainty ?? 1) * worth.vision;
  return source === "learned" ? worth.taught : worth.platform;
}
