import { afterEach, beforeEach, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { prune } from "../../src/map/store/forget.ts";
import { makeCrowd, takeIn } from "./crowd.ts";
import { makeMapFolder } from "./desk.ts";
import { openBar, readMarks } from "./tool-bar.ts";

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => folder.remove());

const dayMs = 86_400_000;
const inDays = (days: number): number => Date.now() + days * dayMs;

test("taught, used or recently seen controls are kept, the rest goes with its evidence, and its numbers stay used", async () => {
  const store = folder.open();
  const marks = await readMarks(openBar("Taught", "Used", "Neither"), store);
  store.teach(marks.Taught ?? 0, "mine");
  store.countAct(marks.Used ?? 0, true);
  const pruned = prune(folder.path, { days: 180, keepApps: [], nowMs: inDays(200) });
  expect(pruned).toMatchObject({ ok: true, value: { targets: 1 } });
  expect(Object.keys(store.listTargets({}).map(({ learned }) => learned.mark)).length).toBe(2);
  const database = new DatabaseSync(folder.path);
  const strays = ["evidence", "objects"].map(
    (table) => database.prepare(`SELECT count(*) AS n FROM ${table} WHERE mark = ?`).get(marks.Neither ?? 0)?.n,
  );
  database.close();
  expect(strays).toEqual([0, 0]);
  const after = await readMarks(openBar("Taught", "Used", "Neither"), store);
  expect(after).toMatchObject({ Taught: marks.Taught ?? 0, Used: marks.Used ?? 0 });
  expect(after.Neither).toBeGreaterThan(Math.max(...Object.values(marks)));
  store.close();
});

test("recently seen controls stay, and so does everything of a protected application", () => {
  const store = folder.open();
  const crowd = makeCrowd();
  takeIn(store, crowd.makeLook(1, 1));
  takeIn(store, crowd.makeLook(2, 1));
  const before = store.countByApplication();
  expect(prune(folder.path, { days: 180, keepApps: [], nowMs: inDays(100) })).toMatchObject({ value: { targets: 0 } });
  const size = statSync(folder.path).size;
  prune(folder.path, { days: 180, keepApps: ["org.example.application-2"], nowMs: inDays(200) });
  expect([...store.countByApplication()]).toEqual([...before].filter(([app]) => app.endsWith("-2")));
  expect([...store.listNames().keys()]).toEqual(["org.example.application-2"]);
  expect(statSync(folder.path).size).toBeLessThan(size * 0.8);
  store.close();
});

test("a control that is seen daily without changes is as old as its last sighting", async () => {
  const store = folder.open();
  const bar = openBar("Save", "Open");
  const marks = await readMarks(bar, store);
  const database = new DatabaseSync(folder.path);
  // As if everything had last been seen a year ago.
  database.exec(
    "UPDATE targets SET last_seen = last_seen - 31536000; UPDATE places SET last_seen = last_seen - 31536000",
  );
  database.close();
  expect(await readMarks(bar, store)).toEqual(marks);
  expect(Date.now() - (store.findLearned([marks.Save ?? 0]).get(marks.Save ?? 0)?.lastSeenMs ?? 0)).toBeLessThan(dayMs);
  expect(prune(folder.path, { days: 180, keepApps: [], nowMs: Date.now() })).toMatchObject({ value: { targets: 0 } });
  store.close();
});
