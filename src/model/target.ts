import type { Bounds, Point } from "./bounds.ts";
import type { LearnerRole } from "./role.ts";

/** Who told of a control: the platform, a picture, both, the map alone, a page. */
export const sources = ["a11y", "vision", "a11y+vision", "learned", "dom"] as const;
export type Source = (typeof sources)[number];

/** Known by its place alone: no tree tells of it. */
export function isBareSource(source: Source): boolean {
  return source === "vision" || source === "learned";
}

/**
 * What was learned about one control, as counts. Confidence is derived from them, so that the sums of any number of writers
 * come to the same in whatever order they arrive.
 */
export interface Learned {
  readonly mark: number;
  readonly source: Source;
  /** How sure whoever told of it was, where that was not the platform. */
  readonly certainty: number | undefined;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  /** Looks in which it was where it had been before, and in which it was elsewhere. */
  readonly same: number;
  readonly moved: number;
  /** Looks at its container since it was last in it. What is in a closed menu or another tab is not looked at. */
  readonly missing: number;
  readonly hits: number;
  readonly misses: number;
  /** What a person called it; empty where nobody did. */
  readonly taught: string;
  /** The mark of what it is inside of; undefined where that has none. */
  readonly parent: number | undefined;
  readonly depth: number;
  readonly visualHash: string;
  readonly layoutVersion: number;
}

/** How far a control was relied on at some time, and what had been done to it until then. */
export interface Moment {
  readonly atMs: number;
  readonly confidence: number;
  readonly hits: number;
  readonly misses: number;
}

/** One control as whoever acts by text alone needs it: what is there now, with what was learned about it. */
export interface Target extends Learned {
  readonly app: string;
  readonly window: string;
  readonly role: LearnerRole;
  readonly label: string;
  /** In physical pixels of the screen; undefined where its window is not there or no place is known. */
  readonly bounds: Bounds | undefined;
  readonly clickPoint: Point | undefined;
  readonly confidence: number;
  /** Whether it was hit before, or taught. */
  readonly isLearned: boolean;
  /** Whether the map alone knows of it: it was not seen in this look, and nothing can be done to it. */
  readonly isStale: boolean;
}

/** What each kind of news is worth. */
const worth = { platform: 0.95, taught: 0.8, vision: 0.8, same: 0.1, hit: 0.05, miss: 0.15, gone: 0.8 } as const;
const [least, most] = [0.1, 0.99];

/** How far a control can be relied on, from 0.1 to 0.99. */
export function judgeConfidence(
  learned: Pick<Learned, "source" | "certainty" | "same" | "missing" | "hits" | "misses">,
) {
  const { same, missing, hits, misses } = learned;
  const reached = Math.min(most, startingFrom(learned) + worth.same * same + worth.hit * hits);
  // One that failed once in a hundred times is not one that failed at its only try: misses count by their share of all tries.
  const counted = misses === 0 ? 0 : (misses * (misses + 1)) / (hits + misses + 1);
  const judged = Math.max(least, Math.min(most, reached - worth.miss * counted));
  return Math.max(least, judged * worth.gone ** missing);
}

function startingFrom({ source, certainty }: Pick<Learned, "source" | "certainty">): number {
  if (source === "vision") return (certainty ?? 1) * worth.vision;
  return source === "learned" ? worth.taught : worth.platform;
}
