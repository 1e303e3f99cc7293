import { expect, test } from "bun:test";
import { churn } from "./churn.ts";

test("a client that reads while applications start, stop and are killed never fails, leaks nothing and keeps its marks", async () => {
  const report = await churn(8000);
  expect(report.reads).toBeGreaterThan(60);
  expect(report.restarts).toBeGreaterThan(1);
  expect(report.failures).toEqual([]);
  expect(report.changedMarks).toEqual([]);
  expect(report.filesAfter).toBeLessThanOrEqual(report.filesBefore + 2);
});
