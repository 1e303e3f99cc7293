export const verdicts = ["match", "not-found", "ambiguous"] as const;

export interface Resolved {
  readonly verdict: (typeof verdicts)[number];
  /** The probability that the best candidate is right, 0 to 1, and its lead over the next. */
  readonly score: number;
  readonly margin: number;
  /** Evidence for and against the best candidate, weightiest first. */
  readonly evidence: readonly Clue[];
}

export interface Clue {
  readonly feature: string;
  /** same, close, near, far, lost, gained, neither. */
  readonly level: string;
  /** In nats; positive values support it. */
  readonly weight: number;
}
