import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { rescueMap } from "../../src/map/keep/rescue.ts";
import { forget } from "../../src/map/store/forget.ts";
import { SqliteStore } from "../../src/map/store/sqlite.ts";
import { makeCrowd, takeIn } from "./crowd.ts";
import { makeMapFolder } from "./desk.ts";
import { openBar, readMarks } from "./tool-bar.ts";

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => folder.remove());

const crowd = makeCrowd();

/** Creates a map of a few applications; returns all marks. */
function fill(): ReadonlyMap<string, number>[] {
  const store = folder.open();
  const marks = [0, 1, 2].map((app) => takeIn(store, crowd.makeLook(app, 1)));
  store.close();
  return marks;
}

function runRescue() {
  const rescued = rescueMap(folder.path, Date.now());
  if (!rescued.ok) throw new Error(rescued.failure.message);
  return rescued.value;
}

/** Checked with a separate program. */
function checkWhole(path: string): string {
  const script =
    "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone()[0])";
  return spawnSync("/usr/bin/python3", ["-c", script, path], { encoding: "utf8" }).stdout.trim();
}

test("an intact map stays unchanged", () => {
  fill();
  const before = readFileSync(folder.path);
  expect(runRescue()).toMatchObject({ kept: undefined });
  expect(readFileSync(folder.path).equals(before)).toBe(true);
});

test("of a map with destroyed pages everything else is kept, and no number is reused", async () => {
  const marks = fill();
  const last = Math.max(...marks.flatMap((one) => [...one.values()]));
  const bytes = readFileSync(folder.path);
  const pageCount = bytes.length / 4096;
  // Every twentieth page, except the first ones, which locate the others.
  for (let page = 19; page < pageCount; page += 20) bytes.fill(0x5a, page * 4096, (page + 1) * 4096);
  writeFileSync(folder.path, bytes);
  const { kept = "", rows, lastMark } = runRescue();
  expect(readFileSync(kept).equals(bytes)).toBe(true);
  expect(checkWhole(folder.path)).toBe("ok");
  expect(rows.targets).toBeGreaterThan(last * 0.5);
  expect(lastMark).toBeGreaterThanOrEqual(last);
  const store = folder.open();
  const fresh = await readMarks(openBar("Save", "Open"), store);
  expect(Math.min(...Object.values(fresh))).toBeGreaterThan(last);
  const before = new Map(marks[1]);
  const after = takeIn(store, crowd.makeLook(1, 1, 1));
  const places = new Map([...after].map(([id, mark]) => [id.replace(":1.1/", ":1.0/"), mark]));
  const same = [...before].filter(([id, mark]) => places.get(id) === mark);
  // Lost controls got new numbers, and no control got another's number.
  const exchanged = [...before].filter(([id, mark]) => places.get(id) !== mark && (places.get(id) ?? 0) <= last);
  expect(same.length).toBeGreaterThan(before.size * 0.3);
  expect(exchanged).toEqual([]);
  store.close();
});

test("a map without its first bytes is still read", () => {
  const marks = fill();
  const bytes = readFileSync(folder.path);
  bytes.fill(0x5a, 0, 100);
  writeFileSync(folder.path, bytes);
  expect(SqliteStore.open(folder.path)).toMatchObject({
    ok: false,
    failure: { suggestion: expect.stringContaining("rescue") },
  });
  const { rows, isCounterKnown } = runRescue();
  const count = marks.reduce((sum, one) => sum + one.size, 0);
  expect([rows.targets, isCounterKnown]).toEqual([count, true]);
  expect(checkWhole(folder.path)).toBe("ok");
});

test("after an unreadable map, new numbers begin far above any that it can have issued", async () => {
  const marks = fill();
  const last = Math.max(...marks.flatMap((one) => [...one.values()]));
  writeFileSync(folder.path, Buffer.alloc(readFileSync(folder.path).length, 0x5a));
  expect(runRescue()).toMatchObject({ isCounterKnown: false });
  const store = folder.open();
  const after = await readMarks(openBar("Save"), store);
  expect(Math.min(...Object.values(after))).toBeGreaterThan(last + 1_000_000);
  store.close();
});

test("a map of a newer Deskmap is kept, and the parts this version understands are taken over", async () => {
  const store = folder.open();
  const before = await readMarks(openBar("Save"), store);
  store.close();
  const database = new DatabaseSync(folder.path);
  database.exec("ALTER TABLE targets ADD COLUMN later TEXT; CREATE TABLE more (x); PRAGMA user_version = 999");
  database.close();
  const { kept } = runRescue();
  expect(kept).toBeDefined();
  const rescued = folder.open();
  expect(await readMarks(openBar("Save"), rescued)).toEqual(before);
  rescued.close();
});

test("a damaged file that was set aside is removed when something is forgotten: it contains that, too", () => {
  fill();
  writeFileSync(folder.path, Buffer.alloc(8192, 0x5a));
  runRescue();
  const listKept = () => readdirSync(dirname(folder.path)).filter((name) => name.includes("damaged"));
  expect(listKept()).toHaveLength(1);
  forget(folder.path, { by: "taught", name: "anything" });
  expect(listKept()).toEqual([]);
});
