import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { rescueMap } from "../../src/map/keep/rescue.ts";
import { forget } from "../../src/map/store/forget.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { button, Desk, makeMapFolder } from "./desk.ts";

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => {
  setSystemTime();
  folder.remove();
});

const hourMs = 3_600_000;
const pageBytes = 4096;
const begin = Date.parse("2026-03-02T10:00:00Z");

function waitHours(hours: number): void {
  setSystemTime(begin + hours * hourMs);
}

async function meetSave(store: SqliteStore): Promise<{ desk: Desk; mark: number }> {
  const desk = new Desk(store, { title: "notes", children: [button("Save"), button("Open")] });
  return { desk, mark: await desk.markOf(desk.find("Save")) };
}

test("every hour in which a control was acted on has one row, with the results so far", async () => {
  waitHours(0);
  const store = folder.open();
  const { mark } = await meetSave(store);
  expect(store.findMoments(mark)).toEqual([]);
  store.countAct(mark, true);
  store.countAct(mark, false);
  waitHours(0.5);
  store.countAct(mark, false);
  waitHours(5);
  store.countAct(mark, true);
  const moments = store.findMoments(mark);
  expect(moments.map(({ atMs, hits, misses }) => [(atMs - begin) / hourMs, hits, misses])).toEqual([
    [0.5, 1, 2],
    [5, 2, 2],
  ]);
  const [early = 0, late = 0] = moments.map(({ confidence }) => confidence);
  expect(late).toBeGreaterThan(early);
  expect(late).toBeLessThan(0.95);
  store.close();
});

test("a control that disappears or comes back is recorded; repeated sightings write nothing", async () => {
  waitHours(0);
  const store = folder.open();
  const { desk, mark } = await meetSave(store);
  const save = desk.find("Save");
  for (let hour = 1; hour < 4; hour += 1) {
    waitHours(hour);
    await desk.look();
  }
  expect(store.findMoments(mark)).toEqual([]);
  waitHours(4);
  const window = save.parent;
  save.remove();
  await desk.look();
  expect(store.findMoments(mark)).toMatchObject([{ confidence: 0.76, hits: 0 }]);
  waitHours(6);
  window?.children.unshift(save);
  await desk.look();
  const moments = store.findMoments(mark);
  expect(moments.map(({ atMs, confidence }) => [(atMs - begin) / hourMs, confidence])).toEqual([
    [4, 0.76],
    [6, expect.closeTo(0.97, 1)],
  ]);
  store.close();
});

test("the history of one control is bounded: hourly for a week, then one row per day", async () => {
  waitHours(0);
  const store = folder.open();
  const { mark } = await meetSave(store);
  for (let hour = 0; hour < 24 * 30; hour += 6) {
    waitHours(hour);
    store.countAct(mark, hour % 12 === 0);
  }
  const moments = store.findMoments(mark);
  expect(moments.length).toBeLessThanOrEqual(60);
  expect(moments.at(-1)).toMatchObject({ hits: 60, misses: 60 });
  const days = moments.map(({ atMs }) => Math.floor(atMs / (24 * hourMs)));
  // The first weeks have one row per day, still starting in the first week.
  expect(new Set(days.slice(0, 10)).size).toBe(10);
  expect(days[0]).toBeLessThan(Math.floor(begin / (24 * hourMs)) + 7);
  store.close();
});

test("a forgotten control has no history, and the rest keeps its own", async () => {
  waitHours(0);
  const store = folder.open();
  const { desk, mark } = await meetSave(store);
  const other = await desk.markOf(desk.find("Open"));
  store.countAct(mark, true);
  store.countAct(other, true);
  store.close();
  expect(forget(folder.path, { by: "mark", mark })).toEqual({ ok: true, value: 1 });
  const again = folder.open();
  expect(again.findMoments(mark)).toEqual([]);
  expect(again.findMoments(other)).toHaveLength(1);
  again.close();
});

test("a damaged map of the previous version is rescued with its controls", () => {
  const database = new DatabaseSync(folder.path);
  database.exec(readFileSync(join(import.meta.dir, "../fixtures/maps/version-4.sql"), "utf8"));
  const page = Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'objects'").get()?.rootpage);
  database.close();
  const bytes = readFileSync(folder.path);
  bytes.fill(0xff, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(folder.path, bytes);
  const rescued = rescueMap(folder.path, begin);
  expect(rescued).toMatchObject({ ok: true, value: { rows: { targets: 14 } } });
  const store = folder.open();
  expect(store.findRef(13)).toMatchObject({ role: "button", name: "Delete", owner: "two.txt" });
  store.close();
});
