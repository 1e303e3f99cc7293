import { type Result, succeed } from "../model/failure.ts";
import { kindOfRole } from "../model/role.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { isSeenSource } from "../model/source.ts";
import type { Platform } from "../platform/port.ts";
import { type Match, rankMatches, type WordQuery } from "./match.ts";
import { lookAt, type ReadOptions } from "./read.ts";

interface Pictured {
  readonly snapshot: Snapshot;
  readonly matches: readonly Match[];
}

/**
 * For words that no tree has: reads the pictures of windows that draw what their trees do not tell. Only what looks
 * like a control counts there: a text may be anything.
 */
export async function findInUntold(
  platform: Platform,
  { windows, all }: Snapshot,
  query: ReadOptions,
  sought: WordQuery,
): Promise<Result<Pictured | undefined>> {
  const drawing = windows.filter(({ notes }) => notes.some(({ code }) => code === "UNTOLD"));
  if (drawing.length === 0 || query.vision === "off") return succeed(undefined);
  const wanted = drawing.map(({ window }) => window);
  const seen = await lookAt(platform, wanted, all, { ...query, includeHidden: false, vision: "on" });
  if (!seen.ok) return seen;
  const matches = rankMatches(seen.value.windows, sought).filter(
    ({ element: { source, role } }) => isSeenSource(source) && kindOfRole(role) === "control",
  );
  return succeed(matches.length === 0 ? undefined : { snapshot: seen.value, matches });
}
