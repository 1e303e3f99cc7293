import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { makeMapFolder } from "./desk.ts";
import { type Outcome, type Update, update } from "./updates.ts";

// Identity laws for updated applications: realistic windows with real labels, in which some controls are renamed, moved,
// wrapped, swapped, removed or replaced. The test knows the true identity of each control.

const folder = makeMapFolder();
let store: SqliteStore;
beforeAll(() => {
  store = folder.open();
});
afterAll(() => {
  store.close();
  folder.remove();
});

const runs = 60;
const seed = Number(process.env.DESKMAP_TEST_SEED ?? 4713) * 1000;

const settings = [
  { isRestarted: false, hasIds: false },
  { isRestarted: false, hasIds: true },
  { isRestarted: true, hasIds: false },
  { isRestarted: true, hasIds: true },
];

describe.each(settings)("of an application that is updated ($isRestarted restart, $hasIds ids)", (manner) => {
  test("no mark passes to a control that looks different, whatever changed at once", async () => {
    for (let run = 0; run < runs; run += 1) expect((await update(store, seed + run, manner)).wrong).toEqual([]);
  });

  test.each(["replace", "replace nearly", "page", "swap", "remove"] as const)(
    "no mark passes to a control that looks different: %s",
    async (kind) => {
      for (let run = 0; run < 10; run += 1) expect((await play(kind, manner, run)).wrong).toEqual([]);
    },
    60_000,
  );
});

/** The minimum share of controls that keep their marks, for each change alone, and the changes after which none may. */
const shares: readonly [
  update: Update,
  live: number,
  liveWithIds: number,
  restarted: number,
  restartedWithIds: number,
][] = [
  ["count", 0.95, 0.95, 0.95, 0.95],
  ["dots", 0.95, 0.95, 0.95, 0.95],
  // If its object is gone and it has no id, a renamed control cannot be distinguished from one that took its place.
  ["relabel", 0.95, 0.95, 0, 0.95],
  ["rename", 0.95, 0.95, 0, 0.95],
  ["translate", 0.95, 0.95, 0, 0.95],
  ["wrap", 0.95, 0.95, 0.95, 0.95],
  ["beside", 0.95, 0.95, 0.95, 0.95],
  ["insert", 0.95, 0.95, 0.95, 0.95],
];

test("most controls keep their marks through an update", async () => {
  const lines: string[] = [];
  for (const [kind, ...least] of shares) {
    const kept: number[] = [];
    for (const manner of settings) kept.push(await countKept(kind, manner));
    lines.push(`${kind}: ${kept.map((share) => `${Math.round(share * 100)} %`).join(", ")}`);
    kept.forEach((share, at) => {
      expect([kind, settings[at], share >= (least[at] ?? 1)]).toEqual([kind, settings[at], true]);
    });
  }
  console.log(`  kept (live, live with ids, restarted, restarted with ids)\n  ${lines.join("\n  ")}`);
});

async function countKept(kind: Update, manner: (typeof settings)[number]): Promise<number> {
  const outcomes: Outcome[] = [];
  for (let run = 0; run < 20; run += 1) outcomes.push(await play(kind, manner, 1000 + run));
  const fates = outcomes.flatMap((outcome) => outcome.fates);
  return fates.filter(({ isKept }) => isKept).length / fates.length;
}

function play(kind: Update, manner: (typeof settings)[number], run: number): Promise<Outcome> {
  return update(store, seed + run, { ...manner, only: kind });
}
