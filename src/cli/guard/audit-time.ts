const unitsMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A time as people give it: `90m` is that long ago, a date is its first moment here, and ISO 8601 is itself. */
export function readTime(words: string, nowMs: number): number | undefined {
  const ago = /^(\d{1,6})([smhdw])$/.exec(words.trim());
  const unitMs = unitsMs[ago?.[2] ?? ""];
  if (ago?.[1] !== undefined && unitMs !== undefined) return nowMs - Number(ago[1]) * unitMs;
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(words.trim());
  const isTime = date !== null || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(words.trim());
  const timeMs = date === null ? Date.parse(words) : Date.parse(`${words.trim()}T00:00:00`);
  return isTime && Number.isFinite(timeMs) ? timeMs : undefined;
}
