import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { Ref } from "../../model/ref.ts";
import { migrations } from "./migrations.ts";
import { MapUnavailable, type MarkStore, type StoredRef } from "./port.ts";

const busyTimeoutMs = 5000;

/** The map in the user's data directory. */
export class SqliteStore implements MarkStore {
  private readonly find: StatementSync;
  private readonly readRef: StatementSync;
  private readonly readSequence: StatementSync;
  private readonly insertMarks: StatementSync;
  private readonly upsertEvidence: StatementSync;
  private readonly readDataVersion: StatementSync;
  private readonly readTempers: StatementSync;
  private readonly upsertTempers: StatementSync;

  private constructor(
    private readonly path: string,
    private readonly database: DatabaseSync,
  ) {
    this.find = database.prepare("SELECT hash, mark FROM evidence WHERE hash IN (SELECT value FROM json_each(?))");
    this.readRef = database.prepare("SELECT ref FROM marks WHERE mark = ?");
    this.readSequence = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'marks'");
    this.insertMarks = database.prepare(
      `INSERT INTO marks (mark, app, ref, first_seen)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
    );
    this.upsertEvidence = database.prepare(
      `INSERT INTO evidence (hash, mark) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
       ON CONFLICT (hash) DO UPDATE SET mark = excluded.mark`,
    );
    this.readDataVersion = database.prepare("PRAGMA data_version");
    this.readTempers = database.prepare(
      "SELECT mark, is_calm FROM tempers WHERE mark IN (SELECT value FROM json_each(?))",
    );
    this.upsertTempers = database.prepare(
      `INSERT INTO tempers (mark, is_calm) SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE true
       ON CONFLICT (mark) DO UPDATE SET is_calm = min(is_calm, excluded.is_calm)`,
    );
  }

  static open(path: string): Result<SqliteStore> {
    let database: DatabaseSync | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      database = new DatabaseSync(path, { timeout: busyTimeoutMs });
      refuseNewer(database);
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
      migrate(database);
      chmodSync(path, 0o600);
      return succeed(new SqliteStore(path, database));
    } catch (error) {
      database?.close();
      return fail(describeFailure(path, error));
    }
  }

  findMarks(hashes: readonly string[]): ReadonlyMap<string, number> {
    const rows = this.guard(() => this.find.all(JSON.stringify(hashes)));
    return new Map(rows.map(({ hash, mark }) => [String(hash), Number(mark)]));
  }

  findRef(mark: number): StoredRef | undefined {
    const row = this.guard(() => this.readRef.get(mark));
    return row === undefined ? undefined : JSON.parse(String(row.ref));
  }

  /** How many were ever given out. */
  countMarks(): number {
    return Number(this.readSequence.get()?.seq ?? 0);
  }

  /** The counter is read and moved on within one transaction; AUTOINCREMENT keeps it from ever going back. */
  allotMarks(refs: readonly Ref[]): number[] {
    const last = this.countMarks();
    const now = Date.now();
    const rows = refs.map((ref, index) => [last + 1 + index, ref.app, writeRef(ref), now]);
    this.insertMarks.run(JSON.stringify(rows));
    return rows.map(([mark]) => Number(mark));
  }

  setEvidence(evidence: ReadonlyMap<string, number>): void {
    this.upsertEvidence.run(JSON.stringify([...evidence]));
  }

  dropEvidence(hashes: readonly string[]): void {
    if (hashes.length === 0) return;
    const drop = "DELETE FROM evidence WHERE hash IN (SELECT value FROM json_each(?))";
    this.database.prepare(drop).run(JSON.stringify(hashes));
  }

  updateRefs(refs: ReadonlyMap<number, Ref>): void {
    const update = this.database.prepare("UPDATE marks SET ref = ? WHERE mark = ?");
    for (const [mark, ref] of refs) update.run(writeRef(ref), mark);
  }

  nameApplications(names: ReadonlyMap<string, ReadonlySet<string>>): void {
    const known = this.listNames();
    const news = [...names].flatMap(([app, own]) => {
      return [...own].filter((name) => !known.get(app)?.has(name)).map((name) => [app, name]);
    });
    if (news.length === 0) return;
    const insert = `INSERT OR IGNORE INTO names (app, name) SELECT value ->> 0, value ->> 1 FROM json_each(?)`;
    this.guard(() => this.database.prepare(insert).run(JSON.stringify(news)));
  }

  /** The names of every application that is remembered, in lower case. */
  listNames(): ReadonlyMap<string, ReadonlySet<string>> {
    const rows = this.guard(() => this.database.prepare("SELECT app, name FROM names").all());
    const names = new Map<string, Set<string>>();
    for (const { app, name } of rows) {
      const key = String(app);
      names.set(key, (names.get(key) ?? new Set()).add(String(name)));
    }
    return names;
  }

  /** How many marks of each application are remembered. */
  countByApplication(): ReadonlyMap<string, number> {
    const rows = this.guard(() =>
      this.database.prepare("SELECT app, count(*) AS amount FROM marks GROUP BY app").all(),
    );
    return new Map(rows.map(({ app, amount }) => [String(app), Number(amount)]));
  }

  findTempers(marks: readonly number[]): ReadonlyMap<number, boolean> {
    const rows = this.guard(() => this.readTempers.all(JSON.stringify(marks)));
    return new Map(rows.map(({ mark, is_calm }) => [Number(mark), is_calm === 1]));
  }

  setTempers(tempers: ReadonlyMap<number, boolean>): void {
    const rows = [...tempers].map(([mark, isCalm]) => [mark, Number(isCalm)]);
    this.guard(() => this.upsertTempers.run(JSON.stringify(rows)));
  }

  readVersion(): number {
    return Number(this.readDataVersion.get()?.data_version ?? 0);
  }

  inTransaction<T>(work: () => T): T {
    return this.guard(() => runTransaction(this.database, work));
  }

  close(): void {
    this.database.close();
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw error instanceof MapUnavailable ? error : new MapUnavailable(describeFailure(this.path, error));
    }
  }
}

function writeRef({ runtimeId: _lives, ...portable }: Ref): string {
  return JSON.stringify(portable);
}

function runTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** Before anything is set: even the journal's mode would be written into the file. */
function refuseNewer(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version > migrations.length) throw new Error(`it was written by a newer Deskmap (version ${version})`);
}

function migrate(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version === migrations.length) return;
  runTransaction(database, () => {
    // Another process may have migrated while this one waited for its turn.
    const current = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
    for (const migration of migrations.slice(current)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
  });
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
