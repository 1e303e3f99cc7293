import { expect, test } from "bun:test";
import { crashActions } from "./crash.ts";

test("50 actions killed at random points: the log is intact, nothing is held, the turn is free", async () => {
  const { killed, unfinished, faults } = await crashActions(50, 4713, () => {});
  expect(faults).toEqual([]);
  // Some are killed before they begin, some exit by themselves; enough must be killed in the middle.
  expect(killed).toBeGreaterThan(10);
  expect(unfinished).toBeGreaterThan(3);
});
