import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeResilient } from "../../src/map/store/open.ts";
import { mapPath } from "../../src/map/store/places.ts";
import type { MapStore } from "../../src/map/store/port.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { firstPassingMark } from "../../src/model/passing-mark.ts";
import { openStore } from "./desk.ts";
import { takeInSmall } from "./small-window.ts";

let home = "";
let path = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-unwritable-"));
  path = mapPath({ XDG_DATA_HOME: home });
});
afterEach(() => {
  spawnSync("chmod", ["-R", "u+w", home]);
  rmSync(home, { recursive: true, force: true });
});

/** Runs as a separate process. */
const child = fileURLToPath(new URL("./open-in-process.ts", import.meta.url));

interface ProcessOutput {
  readonly marks: readonly (readonly number[])[];
  readonly again: readonly (readonly number[])[];
  readonly warnings: readonly string[];
  readonly failure: string | null;
}

/** Without root's right to write read-only files. */
function runBound(...apps: readonly number[]): ProcessOutput {
  const command = [process.execPath, child, home, ...apps.map(String)];
  const other = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"] : [];
  const [program = "", ...args] = [...other, ...command];
  const { stdout, stderr } = spawnSync(program, args, { encoding: "utf8", env: { PATH: process.env.PATH ?? "" } });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Checked with a separate program. */
function countStored(): number {
  const script =
    "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT count(*) FROM targets').fetchone()[0])";
  return Number(spawnSync("/usr/bin/python3", ["-c", script, path], { encoding: "utf8" }).stdout);
}

describe("a read-only map", () => {
  test("keeps its marks, gives new ones that hold for the process only, says so, and stays unchanged", () => {
    const store = openStore(path);
    const known = takeInSmall(store, 1, 1);
    store.close();
    const before = readFileSync(path);
    for (const file of [path, join(home, "deskmap"), home]) chmodSync(file, file === path ? 0o444 : 0o555);
    const told = runBound(1, 2);
    expect(told.failure).toBeNull();
    expect(told.marks[0]).toEqual(known);
    expect(told.again).toEqual(told.marks);
    expect(Math.min(...(told.marks[1] ?? []))).toBeGreaterThan(firstPassingMark);
    expect(told.warnings).toEqual([expect.stringContaining("are valid only in this process")]);
    expect(readFileSync(path).equals(before)).toBe(true);
    // Another process assigns different ones: a mark from one process never refers to something else in the next.
    const other = runBound(3).marks[0] ?? [];
    expect(other.filter((mark) => told.marks[1]?.includes(mark))).toEqual([]);
  });

  test("is created in memory if no file can be", () => {
    chmodSync(home, 0o555);
    const told = runBound(1);
    expect([told.failure, told.warnings.length, told.again]).toEqual([null, 1, told.marks]);
    expect(Math.min(...(told.marks[0] ?? []))).toBeGreaterThan(firstPassingMark);
  });
});

describe("a disk that fills up during use", () => {
  /** Makes SQLite itself report a full disk. */
  function fill(store: SqliteStore): void {
    const pages = Number(store.file.get("PRAGMA page_count")?.page_count);
    store.file.get(`PRAGMA max_page_count = ${pages}`);
  }

  function open(): { store: SqliteStore; resilient: MapStore; told: string[] } {
    const [store, told] = [openStore(path), [] as string[]];
    return { store, told, resilient: makeResilient(store, (why) => told.push(why)) };
  }

  test("fails no read: known marks are kept, new ones hold for the process only, and it is reported once", () => {
    const { store, resilient, told } = open();
    const known = takeInSmall(resilient, 1, 1);
    const stored = countStored();
    fill(store);
    const marks = Array.from({ length: 5 }, (_, app) => takeInSmall(resilient, app + 2, 1));
    expect(told).toEqual([expect.stringContaining("full")]);
    const passing = marks.flat().filter((mark) => mark > firstPassingMark);
    expect(passing.length).toBeGreaterThan(0);
    expect(new Set(marks.flat()).size).toBe(marks.flat().length);
    // Looked up again, all keep their marks.
    expect(Array.from({ length: 5 }, (_, app) => takeInSmall(resilient, app + 2, 1))).toEqual(marks);
    expect(takeInSmall(resilient, 1, 1)).toEqual(known);
    expect(resilient.findRef(passing[0] ?? 0)?.role).toBe("button");
    // Whole snapshots or nothing.
    expect(countStored()).toBe(stored + marks.flat().length - passing.length);
    resilient.close();
  });

  test("teaches nothing that would silently be forgotten", () => {
    const { store, resilient } = open();
    const [mark = 0] = takeInSmall(resilient, 1, 1);
    fill(store);
    for (let app = 2; app < 7; app += 1) takeInSmall(resilient, app, 1);
    expect(() => resilient.teach(mark, "mine")).toThrow("full");
    resilient.close();
  });
});

test("a map that another process keeps locked is handled the same way", () => {
  const store = openStore(path);
  const known = takeInSmall(store, 1, 1);
  store.file.get("PRAGMA busy_timeout = 50");
  const other = openStore(path);
  const told: string[] = [];
  const resilient = makeResilient(store, (why) => told.push(why));
  other.inTransaction(() => {
    expect(takeInSmall(resilient, 1, 1)).toEqual(known);
    expect(told).toEqual([]);
    expect(Math.min(...takeInSmall(resilient, 2, 1))).toBeGreaterThan(firstPassingMark);
  });
  expect(told).toEqual([expect.stringContaining("locked")]);
  other.close();
  resilient.close();
});
