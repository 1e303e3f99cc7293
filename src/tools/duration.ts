import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** 500ms, 10s, 5m, 1h; undefined if it is not a time. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,3})?) ?(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const unitMs = unit === undefined ? undefined : unitsMs[unit];
  return unitMs === undefined || Number(count) === 0 ? undefined : Math.ceil(Number(count) * unitMs);
}

/** The value of --for, at most `longestMs`. */
export function parseFor(given: string | undefined, defaultMs: number, longestMs: number): Result<number> {
  const forMs = given === undefined ? defaultMs : parseDuration(given);
  if (forMs !== undefined && forMs <= longestMs) return succeed(forMs);
  const most = longestMs < 3_600_000 ? `${longestMs / 60_000}m` : `${longestMs / 3_600_000}h`;
  const suggestion = `a number with its unit, at most ${most}: --for 30s`;
  return fail(describeUsage(`--for ${JSON.stringify(given)} is not a time`, suggestion));
}
