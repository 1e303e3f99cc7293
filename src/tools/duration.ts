const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** 500ms, 10s, 5m, 1h; undefined if it is not a time. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,3})?) ?(ms|s|m|h)$/.exec(text.trim()) ?? [];
  const unitMs = unit === undefined ? undefined : unitsMs[unit];
  return unitMs === undefined || Number(count) === 0 ? undefined : Math.ceil(Number(count) * unitMs);
}
