import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type Failure, nothingDone } from "../../model/failure.ts";
import { findTrace } from "../../model/trace.ts";
import { type Hold, holdShared, MapHeld } from "./hold.ts";
import { MapUnavailable } from "./port.ts";
import { createSchema, readVersion, schemaVersion } from "./schema.ts";

const busyTimeoutMs = 5000;

export type Row = Readonly<Record<string, unknown>>;

/** The map's database file. Statements are prepared on first use, since every command pays for start-up. */
export class MapFile {
  private readonly statements = new Map<string, StatementSync>();
  /** Until this process writes: usually no other process has the file open, and there is no journal yet. */
  private isFresh = true;
  private isTracing = false;

  private constructor(
    readonly path: string,
    private readonly database: DatabaseSync,
    private readonly hold: Hold | undefined = undefined,
  ) {}

  /** Throws SQLite errors. */
  static open(path: string): MapFile {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const hold = holdShared(path);
    try {
      return MapFile.openHeld(path, hold);
    } catch (error) {
      hold.release();
      throw error;
    }
  }

  /** For callers that already hold the lock. */
  static openHeld(path: string, hold?: Hold): MapFile {
    // Created before SQLite does it: SQLite gives the files beside the map the same permissions. An existing file is
    // not opened here: closing any descriptor of a file releases all POSIX locks this process has on it.
    if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    else closeSync(openSync(path, "a", 0o600));
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
    try {
      refuseOtherVersion(database);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      prepareSchema(database);
      chmodSync(path, 0o600);
      return new MapFile(path, database, hold);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** A map that disappears with this process. */
  static openInMemory(): MapFile {
    const database = new DatabaseSync(":memory:");
    prepareSchema(database);
    return new MapFile("memory", database);
  }

  /** Opens a map read-only; another schema version cannot be read. */
  static openReadOnly(address: string): MapFile {
    const database = new DatabaseSync(address, { timeout: busyTimeoutMs, readOnly: true });
    try {
      refuseOtherVersion(database);
      return new MapFile(address, database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  all(sql: string, ...values: readonly (string | number | null)[]): readonly Row[] {
    return this.guard("query", () => this.prepare(sql).all(...values), sql);
  }

  get(sql: string, ...values: readonly (string | number | null)[]): Row | undefined {
    return this.guard("query", () => this.prepare(sql).get(...values), sql);
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly (string | number | null)[]): number {
    return this.guard("write", () => Number(this.prepare(sql).run(...values).changes), sql);
  }

  /** One statement per row: three times as fast as extracting many columns from one JSON text. */
  runEach(sql: string, rows: Iterable<readonly (string | number | null)[]>): void {
    this.guard(
      "write",
      () => {
        const statement = this.prepare(sql);
        for (const row of rows) statement.run(...row);
      },
      sql,
    );
  }

  /** Nested calls join the outer transaction. */
  inTransaction<T>(work: () => T): T {
    return this.guard("transaction", () => {
      if (this.database.isTransaction) return work();
      const journal = this.isFresh ? `${this.path}-wal` : undefined;
      this.isFresh = false;
      return runTransaction(this.database, work, journal);
    });
  }

  close(): void {
    this.database.close();
    this.hold?.release();
  }

  private prepare(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const made = this.database.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }

  private guard<T>(name: string, work: () => T, sql = ""): T {
    // What happens within a transaction is part of it.
    const end = this.isTracing ? undefined : findTrace()?.begin("map", name, () => findTable(sql));
    this.isTracing ||= end !== undefined;
    try {
      return work();
    } catch (error) {
      throw isFromSqlite(error) ? new MapUnavailable(describeFailure(this.path, error), isUnwritable(error)) : error;
    } finally {
      if (end !== undefined) {
        this.isTracing = false;
        end();
      }
    }
  }
}

function findTable(sql: string): string {
  return /\b(?:FROM|INTO|UPDATE)\s+(\w+)/i.exec(sql)?.[1] ?? "";
}

/** SQLite result codes: permission, busy, read-only, I/O error, disk full, cannot open. */
const unwritable: ReadonlySet<number> = new Set([3, 5, 8, 10, 13, 14]);
const unwritableFiles: ReadonlySet<string> = new Set("EROFS EACCES EPERM ENOSPC EDQUOT EIO ENOTDIR".split(" "));

/** Whether a map is intact but not writable. */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof MapHeld) return true;
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (isFromSqlite(error)) return "errcode" in error && unwritable.has(Number(error.errcode) & 0xff);
  return unwritableFiles.has(String(error.code));
}

/** Errors thrown by the work itself are not errors of the file. */
function isFromSqlite(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

/**
 * When SQLite starts a journal it syncs the disk, so that after a power cut no frame of an older journal is taken for a
 * new one: 5 to 15 ms for the first write of every command. An empty journal has no older frames; emptiness is checked
 * while no one else can write.
 */
function beginQuickly(database: DatabaseSync, journal: string): boolean {
  const isEmpty = (): boolean => (statSync(journal, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (!isEmpty()) return false;
  // Without syncing, no checkpoint may copy the journal into the map.
  database.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
  try {
    database.exec("BEGIN IMMEDIATE");
    if (isEmpty()) return true;
    database.exec("ROLLBACK");
  } catch (error) {
    waitForDisk(database);
    throw error;
  }
  waitForDisk(database);
  return false;
}

function waitForDisk(database: DatabaseSync): void {
  database.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 1000");
}

function runTransaction<T>(database: DatabaseSync, work: () => T, freshJournal?: string): T {
  if (freshJournal !== undefined && beginQuickly(database, freshJournal)) {
    try {
      return endTransaction(database, work);
    } finally {
      waitForDisk(database);
    }
  }
  database.exec("BEGIN IMMEDIATE");
  return endTransaction(database, work);
}

function endTransaction<T>(database: DatabaseSync, work: () => T): T {
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // After "disk full" SQLite has already rolled back.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Checked before anything is set: even the journal mode would be written into the file. */
function refuseOtherVersion(database: DatabaseSync): void {
  const version = readVersion(database);
  if (version === 0 || version === schemaVersion) return;
  throw new Error(`it was written by ${version > schemaVersion ? "a newer" : "an older"} Deskmap (version ${version})`);
}

function prepareSchema(database: DatabaseSync): void {
  if (readVersion(database) === schemaVersion) return;
  // Another process may have created the schema while this one waited for the lock.
  runTransaction(database, () => createSchema(database));
}

/** An unreadable map is never replaced: its numbers would be allotted again, and a mark would mean another control. */
export function describeFailure(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  const isDamaged = /not a database|malformed|corrupt/i.test(reason);
  const rescue = "deskmap map rescue makes a new map from what can still be read, and keeps this one beside it.";
  let suggestion = "make the directory writable, or name another one: XDG_DATA_HOME=DIR deskmap …";
  if (isDamaged) suggestion = rescue;
  else if (error instanceof MapHeld) suggestion = "try again when it has ended, or end it.";
  else if (/(newer|older) Deskmap/.test(reason)) suggestion = `use the Deskmap that wrote it; or ${rescue}`;
  const message = isDamaged ? `the map is damaged: ${path}` : `the map cannot be used: ${path} (${reason})`;
  return { code: "UNAVAILABLE", message, suggestion, done: `${nothingDone} the file is untouched.` };
}
