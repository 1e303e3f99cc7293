import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { MapStore } from "../../src/map/store/port.ts";
import { SqliteStore } from "../../src/map/store/sqlite.ts";
import { makeMapFolder } from "./desk.ts";
import { openBar, readMarks, tryReadMarks } from "./tool-bar.ts";

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => folder.remove());

/** A store that runs a hook before each of its transactions. */
function interrupt(store: SqliteStore, happen: () => void): MapStore {
  return Object.assign(Object.create(store), {
    inTransaction: <T>(work: () => T): T => {
      happen();
      return store.inTransaction(work);
    },
  });
}

/** Runs as a separate process. */
const allotter = fileURLToPath(new URL("./allot-in-process.ts", import.meta.url));
const manyNames = Array.from({ length: 60 }, (_, index) => `Button ${index}`);

describe("two processes with one map", () => {
  test("give one control one mark, even if the other writes between a read and the write of the first", async () => {
    const [mine, theirs] = [folder.open(), folder.open()];
    const known = await readMarks(openBar("Save"), theirs);
    const database = new DatabaseSync(folder.path);
    // Everything the other process stores about "Save" arrives only after this one has read and before it writes.
    database.exec("CREATE TABLE later AS SELECT * FROM evidence; DELETE FROM evidence");
    const raced = interrupt(mine, () => database.exec("INSERT OR IGNORE INTO evidence SELECT * FROM later"));
    const marks = await readMarks(openBar("Open", "Save"), raced);
    expect(marks.Save).toBe(known.Save ?? 0);
    expect(marks.Open).not.toBe(known.Save ?? 0);
    for (const open of [mine, theirs, database]) open.close();
  });

  test("that start together on a new map assign the same marks to the same controls and no mark twice", async () => {
    const children = [0, 1, 2, 3].map((shift) => {
      // Each starts at another place, so that none is always first.
      const order = [...manyNames.slice(shift * 15), ...manyNames.slice(0, shift * 15)];
      return Bun.spawn([process.execPath, allotter, folder.path, ...order]);
    });
    const outputs = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    const first: Record<string, number> = JSON.parse(outputs[0] ?? "{}");
    expect(Object.keys(first)).toHaveLength(60);
    expect(new Set(Object.values(first)).size).toBe(60);
    for (const output of outputs) expect(JSON.parse(output)).toEqual(first);
  });
});

test("numbers are never reused, not even after their controls were deleted", async () => {
  const store = folder.open();
  const before = await readMarks(openBar("Save", "Open"), store);
  store.close();
  const database = new DatabaseSync(folder.path);
  database.exec("DELETE FROM evidence; DELETE FROM targets");
  database.close();
  const reopened = folder.open();
  const after = await readMarks(openBar("Print", "Close"), reopened);
  expect(Math.min(...Object.values(after))).toBeGreaterThan(Math.max(...Object.values(before)));
  reopened.close();
});

test("marks survive a restart of Deskmap", async () => {
  const store = folder.open();
  const before = await readMarks(openBar("Save", "Open"), store);
  store.close();
  const reopened = folder.open();
  expect(await readMarks(openBar("Save", "Open"), reopened)).toEqual(before);
  reopened.close();
});

test("a failed transaction leaves nothing half stored", async () => {
  const store = folder.open();
  await readMarks(openBar("Save"), store);
  const database = new DatabaseSync(folder.path);
  const count = () => database.prepare("SELECT count(*) AS marks FROM targets").get();
  const before = count();
  const broken: MapStore = Object.assign(Object.create(store), {
    inTransaction: <T>(work: () => T): T =>
      store.inTransaction(() => {
        work();
        throw new Error("the disk is full");
      }),
  });
  const isDone = await tryReadMarks(openBar("Open", "Print"), broken).then(
    ({ ok }) => ok,
    () => false,
  );
  expect(isDone).toBe(false);
  expect(count()).toEqual(before ?? {});
  expect(Object.keys(await readMarks(openBar("Open"), store))).toEqual(["Open"]);
  database.close();
  store.close();
});

test("the file is readable by its owner only, and contains no value and no runtime id", async () => {
  const store = folder.open();
  const bar = openBar("Save");
  const [save] = bar.applications[0]?.windows[0]?.listControls().slice(1) ?? [];
  if (save === undefined) throw new Error("the bar has a button");
  save.value = "what the user typed";
  await readMarks(bar, store);
  const modes = ["", "-wal", "-shm"].map((ending) => statSync(folder.path + ending).mode & 0o077);
  expect(modes).toEqual([0, 0, 0]);
  store.close();
  const bytes = readFileSync(folder.path, "latin1");
  expect(bytes).toContain("Save");
  expect(bytes).not.toContain("what the user typed");
  expect(bytes).not.toContain(save.handle);
});

describe("an unusable map is refused and stays unchanged", () => {
  function open(path: string) {
    const opened = SqliteStore.open(path);
    if (opened.ok) opened.value.close();
    return opened;
  }

  test("when it is not a database", () => {
    writeFileSync(folder.path, "this is no map at all, it is a letter to a friend. ".repeat(40));
    const before = readFileSync(folder.path);
    expect(open(folder.path)).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    expect(readFileSync(folder.path).equals(before)).toBe(true);
  });

  test("when its beginning was overwritten", () => {
    folder.open().close();
    const bytes = readFileSync(folder.path);
    bytes.fill(0x5a, 0, 100);
    writeFileSync(folder.path, bytes);
    expect(open(folder.path)).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    expect(readFileSync(folder.path).equals(bytes)).toBe(true);
  });

  test("when a newer Deskmap wrote it", () => {
    const database = new DatabaseSync(folder.path);
    database.exec("CREATE TABLE later (x); PRAGMA user_version = 999");
    database.close();
    const before = readFileSync(folder.path);
    const message = expect.stringContaining("newer Deskmap");
    expect(open(folder.path)).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE", message } });
    expect(readFileSync(folder.path).equals(before)).toBe(true);
  });
});

test("a map with damage inside fails the read with a message, and stays unchanged", async () => {
  const store = folder.open();
  await readMarks(openBar(...manyNames), store);
  store.close();
  const bytes = readFileSync(folder.path);
  bytes.fill(0x5a, 4096);
  writeFileSync(folder.path, bytes);
  const opened = SqliteStore.open(folder.path);
  const outcome = opened.ok ? await tryReadMarks(openBar("Save"), opened.value) : opened;
  if (opened.ok) opened.value.close();
  expect(outcome).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
  expect(readFileSync(folder.path).equals(bytes)).toBe(true);
});
