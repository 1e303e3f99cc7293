import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { isPixelSource } from "../../model/source.ts";
import { hashAppearances } from "../evidence.ts";
import { describeFailure, MapFile } from "../store/database.ts";
import { raiseCounter, readCounter, readTargets } from "../store/exchange.ts";
import { type Hold, holdAlone } from "../store/hold.ts";
import { MapUnavailable } from "../store/port.ts";
import { createSchema } from "../store/schema.ts";
import { SqliteStore } from "../store/sqlite.ts";

interface Rescue {
  /** Where the damaged file is kept; undefined if nothing was damaged and nothing done. */
  readonly kept: string | undefined;
  readonly rows: Readonly<Record<string, number>>;
  /** New marks are higher than this. */
  readonly lastMark: number;
  /** Whether the counter could be read; otherwise it is set far above any allotted number. */
  readonly isCounterKnown: boolean;
}

/** What was learned first, then the evidence. Object evidence is not copied: it is collected again soon. */
const tables = [
  "places",
  "targets",
  "evidence",
  "tempers",
  "names",
  "windows",
  "aliases",
  "reliability",
  "imported",
  "own",
  "history",
];
const batchSize = 500;
/** How many numbers are skipped if the last one is uncertain. */
const safeJump = 1_000_000;

/**
 * Makes a new map from what is readable of a damaged one, which is kept beside it, and recomputes the evidence that was
 * lost. Numbers are never allotted twice.
 */
export function rescueMap(path: string, nowMs: number): Result<Rescue> {
  if (!existsSync(path)) return succeed({ kept: undefined, rows: {}, lastMark: 0, isCounterKnown: true });
  let hold: Hold | undefined;
  try {
    hold = holdAlone(path);
    const rescued = rescue(path, nowMs);
    if (rescued.kept === undefined) return succeed(rescued);
    const store = SqliteStore.over(MapFile.openHeld(path));
    store.inTransaction(() => rebuildEvidence(store));
    store.close();
    return succeed(rescued);
  } catch (error) {
    return fail(error instanceof MapUnavailable ? error.failure : describeFailure(path, error));
  } finally {
    hold?.release();
  }
}

function rebuildEvidence(store: SqliteStore): void {
  // Evidence of controls that were lost.
  store.file.run("DELETE FROM evidence WHERE mark NOT IN (SELECT mark FROM targets)");
  for (const batch of readTargets(store.file)) {
    const told = batch.filter(({ learned }) => !isPixelSource(learned.source));
    const made = told.flatMap(({ ref, learned }) => hashAppearances(ref).map((hash) => [hash, learned.mark] as const));
    const known = store.findMarks(made.map(([hash]) => hash));
    store.setEvidence(new Map(made.filter(([hash]) => !known.has(hash))));
  }
}

/** Requires the exclusive lock. */
function rescue(path: string, nowMs: number): Rescue {
  const [copy, fresh] = [`${path}.rescue-copy`, `${path}.rescue-new`];
  const kept = `${path}.damaged-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "")}`;
  try {
    const whole = findWhole(path);
    if (whole !== undefined) return whole;
    for (const ending of ["", "-wal"]) if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending);
    const source = openDamaged(copy);
    const salvaged = salvage(source, fresh, path);
    source?.close();
    for (const ending of ["-shm", "-wal"]) rmSync(fresh + ending, { force: true });
    // The journal belongs to the damaged file and must not be replayed into the new one.
    renameSync(path, kept);
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`);
    rmSync(`${path}-shm`, { force: true });
    renameSync(fresh, path);
    return { ...salvaged, kept };
  } finally {
    for (const file of [copy, fresh]) for (const ending of ["", "-wal", "-shm"]) rmSync(file + ending, { force: true });
  }
}

function findWhole(path: string): Rescue | undefined {
  try {
    const file = MapFile.openHeld(path);
    try {
      const isWhole = file.all("PRAGMA integrity_check").every((row) => Object.values(row)[0] === "ok");
      return isWhole ? { kept: undefined, rows: {}, lastMark: readCounter(file), isCounterKnown: true } : undefined;
    } finally {
      file.close();
    }
  } catch {
    return undefined;
  }
}

/** If the first bytes are lost, the header of a new map replaces them: apart from sizes it is always the same. */
function openDamaged(path: string): DatabaseSync | undefined {
  const tries = [() => {}, () => mendHeader(path)];
  for (const prepare of tries) {
    let database: DatabaseSync | undefined;
    try {
      prepare();
      database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
      database.prepare("SELECT count(*) FROM sqlite_schema").get();
      return database;
    } catch {
      database?.close();
    }
  }
  return undefined;
}

const headerBytes = 100;
const pageBytes = 4096;

function mendHeader(path: string): void {
  const fresh = `${path}-header`;
  MapFile.openHeld(fresh).close();
  const [bytes, header] = [readFileSync(path), readFileSync(fresh).subarray(0, headerBytes)];
  for (const ending of ["", "-wal", "-shm"]) rmSync(fresh + ending, { force: true });
  header.writeUInt32BE(Math.floor(bytes.length / pageBytes), 28);
  // Without the list of free pages, which may be garbage.
  header.fill(0, 32, 40);
  header.copy(bytes);
  writeFileSync(path, bytes, { mode: 0o600 });
}

function salvage(source: DatabaseSync | undefined, fresh: string, path: string): Omit<Rescue, "kept"> {
  const target = new DatabaseSync(fresh, { enableForeignKeyConstraints: false });
  createSchema(target);
  const rows: Record<string, number> = {};
  for (const table of tables) {
    rows[table] = source === undefined ? 0 : copyTable(source, target, table);
  }
  const last = readDamagedCounter(source);
  const highest = findHighest(target);
  target.close();
  const file = MapFile.openHeld(fresh);
  file.run("INSERT OR IGNORE INTO own (name, value) VALUES ('map', lower(hex(randomblob(16))))");
  // Numbers in a torn journal, or written by a process that still has the old file open, may exceed the counter.
  const lastMark = last === undefined ? guessCounter(highest, path) : Math.max(last, highest) + safeJump;
  raiseCounter(file, lastMark);
  file.get("PRAGMA wal_checkpoint(TRUNCATE)");
  file.close();
  return { rows, lastMark, isCounterKnown: last !== undefined };
}

function readDamagedCounter(source: DatabaseSync | undefined): number | undefined {
  const find = "SELECT seq FROM sqlite_sequence WHERE name = 'targets'";
  const seq = attempt(() => source?.prepare(find).get()?.seq);
  return typeof seq === "number" ? seq : undefined;
}

/** Any row may contain a number, even if that number's own row is lost. */
function findHighest(target: DatabaseSync): number {
  const columns = [
    ["targets", "mark"],
    ["evidence", "mark"],
    ["tempers", "mark"],
    ["aliases", "mark"],
    ["aliases", "alias"],
    ["targets", "parent"],
  ];
  const marks = columns.map(([table, column]) =>
    Number(target.prepare(`SELECT max(${column}) AS mark FROM ${table}`).get()?.mark ?? 0),
  );
  return Math.max(0, ...marks);
}

/** Above the highest seen, and above ten times what a file of that size can hold. */
function guessCounter(highest: number, path: string): number {
  const held = Math.ceil(statSync(path).size / 100) * 10;
  return Math.ceil(Math.max(highest, held) / safeJump) * safeJump + safeJump;
}

/** Continues row by row after an unreadable page: later pages may be intact. */
function copyTable(source: DatabaseSync, target: DatabaseSync, table: string): number {
  const columns = listColumns(target, table).filter((column) => new Set(listColumns(source, table)).has(column));
  if (columns.length === 0) return 0;
  const list = columns.join(", ");
  const insert = target.prepare(
    `INSERT OR REPLACE INTO ${table} (${list}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  let count = 0;
  target.exec("BEGIN");
  for (const row of readRows(source, table, list)) {
    count += attempt(() => Number(insert.run(...columns.map((column) => toCell(row[column]))).changes)) ?? 0;
  }
  target.exec("COMMIT");
  return count;
}

function* readRows(source: DatabaseSync, table: string, list: string): Generator<Record<string, unknown>> {
  const key = attempt(() => source.prepare(`SELECT rowid FROM ${table} LIMIT 0`)) === undefined ? undefined : "rowid";
  if (key === undefined) {
    // Tables without rowid can be read only from the start, up to the first unreadable page.
    yield* readFront(source, `SELECT ${list} FROM ${table}`);
    return;
  }
  const make = (sql: string) => {
    const statement = source.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  };
  let last = -(2n ** 63n);
  let step = 1n;
  const end =
    attempt(() => BigInt(String(make(`SELECT max(rowid) AS last FROM ${table}`).get()?.last ?? 0))) ?? 2n ** 40n;
  while (last < end) {
    const from = last;
    const find = `SELECT rowid AS row_number, ${list} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${batchSize}`;
    const rows = attempt(() => make(find).all(from));
    const one = rows ?? attempt(() => make(find.replace(`LIMIT ${batchSize}`, "LIMIT 1")).all(from));
    if (one === undefined) {
      // Skips unreadable rows, doubling the step each time.
      last += step;
      step *= 2n;
      continue;
    }
    if (one.length === 0) return;
    step = 1n;
    for (const row of one) yield row;
    last = BigInt(String(one.at(-1)?.row_number));
  }
}

function* readFront(source: DatabaseSync, sql: string): Generator<Record<string, unknown>> {
  const statement = attempt(() => source.prepare(sql));
  if (statement === undefined) return;
  statement.setReadBigInts(true);
  const rows = statement.iterate();
  while (true) {
    const next = attempt(() => rows.next());
    if (next === undefined || next.done) return;
    yield next.value;
  }
}

function listColumns(database: DatabaseSync, table: string): string[] {
  return (
    attempt(() => database.prepare("SELECT name FROM pragma_table_info(?)").all(table))?.map(({ name }) =>
      String(name),
    ) ?? []
  );
}

function toCell(value: unknown): string | number | bigint | null {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? value : null;
}

/** A damaged page makes SQLite throw: the other rows are still worth reading. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
