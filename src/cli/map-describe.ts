import type { StoredTarget } from "../map/keep/keeper.ts";
import { judgeConfidence } from "../model/target.ts";

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

export function describeTarget({ ref, learned }: StoredTarget): Described {
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

export function roundShare(share: number): number {
  return Math.round(share * 1000) / 1000;
}

/** In columns, as wide as their widest cell. */
export function alignRows(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => align(row).trimEnd()).join("\n");
}
