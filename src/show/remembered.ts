import * as z from "zod/mini";
import type { ElementDescription } from "../model/element-description.ts";
import { judgeConfidence } from "../model/target.ts";
import { roundShare } from "./confidence.ts";
import type { DataOf } from "./output.ts";

/** One control in the words of a list. */
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
    window: nameWindow(ref.windows),
    confidence: roundShare(judgeConfidence(learned)),
    hits,
    misses,
    lastSeen: new Date(lastSeenMs).toISOString(),
    source,
    taught,
  };
}

/** "window:Title"; a dialog's has what it asks as well. */
export function nameWindow([first = ""]: readonly string[]): string {
  return first.slice(first.indexOf(":") + 1).replaceAll("\u0001", " ");
}
