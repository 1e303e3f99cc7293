import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { makeMapFolder } from "../map/desk.ts";
import { contents, liveEdits } from "../map/edits.ts";
import { fc } from "../property.ts";
import { timesOf } from "../tier.ts";
import { pressAfterEdits } from "./press-trial.ts";

const folder = makeMapFolder();
let store: SqliteStore;
beforeAll(() => {
  store = folder.open();
});
afterAll(() => {
  store.close();
  folder.remove();
});

test("a mark never presses a control other than the one it was shown for, whatever changed in between", async () => {
  const runs = timesOf(100, 300);
  let right = 0;
  await fc.assert(
    fc.asyncProperty(contents, liveEdits, async (children, edits) => {
      const trial = await pressAfterEdits(store, children, edits);
      expect(trial.wrong).toEqual([]);
      right += trial.right;
    }),
    { numRuns: runs, seed: 4712 },
  );
  // Refusing everything would be safe but useless.
  expect(right).toBeGreaterThan(runs);
});
