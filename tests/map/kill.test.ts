import { expect, test } from "bun:test";
import { killWriters } from "./kill-writers.ts";

test("processes killed while writing lose no stored snapshot, damage nothing and share no number", async () => {
  const report = await killWriters(60, 4713);
  expect(report.faults).toEqual([]);
  expect(report.killed).toBe(60);
  expect(report.stored).toBeGreaterThan(20);
}, 180_000);
