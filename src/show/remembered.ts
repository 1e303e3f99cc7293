import * as z from "zod/mini";
import type { ElementDescription } from "../model/element-description.ts";
import { judgeConfidence, type Learned } from "../model/target.ts";
import type { DataOf } from "./output.ts";

export const describedOutput = () =>
  z.strictObject({
    id: z.number(),
    role: z.string(),
    label: z.string(),
    app: z.string(),
    window: z.string(),
    confidence: z.number(),
    hits: z.number(),
    misses: z.number(),
    lastSeen: z.string(),
    source: z.string(),
    taught: z.string(),
  });

export type Described = DataOf<typeof describedOutput>;

export function describeTarget({ ref, learned }: Pick<ElementDescription["remembered"], "ref" | "learned">): Described {
  const { mark, hits, misses, source, taught, lastSeenMs } = learned;
  return {
    id: mark,
    role: ref.role,
    label: taught || ref.name,
    app: ref.app,
    window: windowTitleOf(ref.windows),
    confidence: roundShare(judgeConfidence(learned)),
    hits,
    misses,
    lastSeen: new Date(lastSeenMs).toISOString(),
    source,
    taught,
  };
}

/** The window's title from its ref, "window:Title"; a dialog's ref has its question as well. */
export function windowTitleOf([first = ""]: readonly string[]): string {
  return first.slice(first.indexOf(":") + 1).replaceAll("\u0001", " ");
}

/** How each kind of observation changed the confidence, one after the other. */
export function explainConfidence({ source, certainty, same, missing, hits, misses }: Learned) {
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
