import { judgeConfidence, type Learned } from "../model/target.ts";

export interface ConfidenceStep {
  readonly because: string;
  readonly confidence: number;
}

/** How each kind of news changed what the control is relied on, one after the other. */
export function explainConfidence({ source, certainty, same, missing, hits, misses }: Learned): ConfidenceStep[] {
  const start = { source, certainty, same: 0, missing: 0, hits: 0, misses: 0 };
  const steps = [
    { because: `told by ${source}`, known: start, isSo: true },
    { because: `${count(same, "look")} at the same place`, known: { ...start, same }, isSo: same > 0 },
    { because: `${count(hits, "act")} came out as wanted`, known: { ...start, same, hits }, isSo: hits > 0 },
    { because: `${count(misses, "act")} did not`, known: { ...start, same, hits, misses }, isSo: misses > 0 },
    {
      because: `not there in the last ${count(missing, "look")} at where it was`,
      known: { ...start, same, hits, misses, missing },
      isSo: missing > 0,
    },
  ];
  return steps
    .filter(({ isSo }) => isSo)
    .map(({ because, known }) => ({ because, confidence: roundShare(judgeConfidence(known)) }));
}

export function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}

export function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? "" : "s"}`;
}
