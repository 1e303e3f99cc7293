import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type Failure, nothingDone } from "../../model/failure.ts";
import { migrationFunctions, migrations } from "./migrations.ts";
import { MapUnavailable } from "./port.ts";

const busyTimeoutMs = 5000;

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** The map's file: every statement is prepared when it is first used, since every command pays for its start. */
export class MapFile {
  private readonly statements = new Map<string, StatementSync>();

  private constructor(
    readonly path: string,
    private readonly database: DatabaseSync,
  ) {}

  /** Throws what SQLite throws. */
  static open(path: string): MapFile {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
    try {
      refuseNewer(database);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      migrate(database);
      chmodSync(path, 0o600);
      return new MapFile(path, database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  all(sql: string, ...values: readonly (string | number | null)[]): readonly Row[] {
    return this.guard(() => this.prepare(sql).all(...values));
  }

  get(sql: string, ...values: readonly (string | number | null)[]): Row | undefined {
    return this.guard(() => this.prepare(sql).get(...values));
  }

  /** How many rows were changed. */
  run(sql: string, ...values: readonly (string | number | null)[]): number {
    return this.guard(() => Number(this.prepare(sql).run(...values).changes));
  }

  /** One statement for many rows of many columns: three times as fast as taking them out of one JSON text. */
  runEach(sql: string, rows: Iterable<readonly (string | number | null)[]>): void {
    this.guard(() => {
      const statement = this.prepare(sql);
      for (const row of rows) statement.run(...row);
    });
  }

  /** Within another one it is a part of that. */
  inTransaction<T>(work: () => T): T {
    return this.guard(() => (this.database.isTransaction ? work() : runTransaction(this.database, work)));
  }

  close(): void {
    this.database.close();
  }

  private prepare(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const made = this.database.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw isFromSqlite(error) ? new MapUnavailable(describeFailure(this.path, error)) : error;
    }
  }
}

/** What breaks in the work itself is no trouble of the file. */
function isFromSqlite(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

function runTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A full disk has rolled it back already.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Before anything is set: even the journal's mode would be written into the file. */
function refuseNewer(database: DatabaseSync): void {
  const version = readVersion(database);
  if (version > migrations.length) throw new Error(`it was written by a newer Deskmap (version ${version})`);
}

function migrate(database: DatabaseSync): void {
  if (readVersion(database) === migrations.length) return;
  for (const [name, run] of Object.entries(migrationFunctions)) database.function(name, { deterministic: true }, run);
  runTransaction(database, () => {
    // Another process may have migrated while this one waited for its turn.
    for (const migration of migrations.slice(readVersion(database))) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/**
 * A map that cannot be read is never replaced: its numbers would be given out a second time, and a mark would come to
 * mean another control.
 */
export function describeFailure(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  const isDamaged = /not a database|malformed|corrupt/i.test(reason);
  return {
    code: "UNAVAILABLE",
    message: isDamaged ? `the map is damaged: ${path}` : `the map cannot be used: ${path} (${reason})`,
    suggestion: isDamaged
      ? `restore it from a backup, or set it aside and start a new map: mv '${path}' '${path}.damaged'`
      : "make the directory writable, or name another one: XDG_DATA_HOME=DIR deskmap …",
    done: `${nothingDone} the file is untouched.`,
  };
}
