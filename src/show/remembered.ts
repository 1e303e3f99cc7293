import type { Portrait } from "../model/portrait.ts";
import { judgeConfidence } from "../model/target.ts";
import { roundShare } from "./confidence.ts";

/** One control in the words of a list. */
export interface Described {
  readonly id: number;
  readonly role: string;
  readonly label: string;
  readonly app: string;
  readonly window: string;
  readonly confidence: number;
  readonly hits: number;
  readonly misses: number;
  readonly lastSeen: string;
  readonly source: string;
  readonly taught: string;
}

export function describeTarget({ ref, learned }: Pick<Portrait["remembered"], "ref" | "learned">): Described {
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
