import { afterEach, beforeEach, expect, test } from "bun:test";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { makeMapFolder } from "./desk.ts";

// Knowledge of the objects of one run of an application lasts until five hundred later runs were seen.

let folder: ReturnType<typeof makeMapFolder>;
let store: SqliteStore;
beforeEach(() => {
  folder = makeMapFolder();
  store = folder.open();
});
afterEach(() => {
  store.close();
  folder.remove();
});

function meet(life: number, objectCount: number): void {
  const pairs = Array.from({ length: objectCount }, (_, at) => [String(life * 10_000 + at), life] as const);
  store.inTransaction(() => store.setObjects(new Map([[String(life), new Map(pairs)]])));
}

function isKnown(life: number): boolean {
  return store.findObjects(new Map([[String(life), [String(life * 10_000)]]])).size === 1;
}

function count(table: string): number {
  return Number(store.file.get(`SELECT count(*) AS amount FROM ${table}`)?.amount);
}

test("the last five hundred runs are known, and no object of an older one is found", () => {
  for (let life = 1; life <= 510; life += 1) meet(life, 3);
  for (const [life, isThere] of [
    [10, false],
    [11, true],
    [510, true],
  ] as const) {
    expect([life, isKnown(life)]).toEqual([life, isThere]);
  }
});

test("a run with many objects is removed gradually, as much each time as was added, and completely", () => {
  meet(1, 900);
  for (let life = 2; life <= 500; life += 1) meet(life, 10);
  expect(isKnown(1)).toBe(true);
  const before = count("objects");
  meet(501, 10);
  expect(isKnown(1)).toBe(false);
  expect(count("objects")).toBe(before);
  meet(502, 400);
  meet(503, 600);
  expect(store.file.get("SELECT count(*) AS amount FROM objects WHERE mark = 1")?.amount).toBe(0);
  for (let life = 504; life <= 520; life += 1) meet(life, 10);
  expect(count("lives")).toBe(500);
});
