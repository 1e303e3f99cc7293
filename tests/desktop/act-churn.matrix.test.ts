import { expect, test } from "bun:test";
import { churnPresses, summarise } from "./act-churn.ts";

test("a press reaches the marked control or nothing, however the window changed since it was read", async () => {
  const report = await churnPresses(300, 4);
  console.log(`  ${summarise(report)}`);
  expect(report.wrong).toEqual([]);
  expect(report.exchanged).toEqual([]);
  expect(report.lost).toEqual([]);
  expect(report.right).toBeGreaterThan(200);
}, 300_000);
