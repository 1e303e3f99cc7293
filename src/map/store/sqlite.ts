import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { Ref } from "../../model/ref.ts";
import { migrations } from "./migrations.ts";
import type { MarkStore } from "./port.ts";

const busyTimeoutMs = 5000;

/** The map in the user's data directory. */
export class SqliteStore implements MarkStore {
  private readonly find: StatementSync;
  private readonly insertMark: StatementSync;
  private readonly upsertEvidence: StatementSync;

  private constructor(private readonly database: DatabaseSync) {
    this.find = database.prepare("SELECT mark FROM evidence WHERE hash = ?");
    this.insertMark = database.prepare("INSERT INTO marks (app, ref, first_seen) VALUES (?, ?, ?)");
    this.upsertEvidence = database.prepare(
      "INSERT INTO evidence (hash, mark) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET mark = excluded.mark",
    );
  }

  static open(path: string): Result<SqliteStore> {
    let database: DatabaseSync | undefined;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      database = new DatabaseSync(path, { timeout: busyTimeoutMs });
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
      migrate(database);
      chmodSync(path, 0o600);
      return succeed(new SqliteStore(database));
    } catch (error) {
      database?.close();
      return fail(describeOpenFailure(path, error));
    }
  }

  findMark(hash: string): number | undefined {
    const mark = this.find.get(hash)?.mark;
    return typeof mark === "number" ? mark : undefined;
  }

  allotMark(ref: Ref): number {
    const { runtimeId: _lives, ...portable } = ref;
    return Number(this.insertMark.run(ref.app, JSON.stringify(portable), Date.now()).lastInsertRowid);
  }

  setEvidence(hash: string, mark: number): void {
    this.upsertEvidence.run(hash, mark);
  }

  inTransaction<T>(work: () => T): T {
    this.database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.database.exec("COMMIT");
      return result;
    } catch (error) {
      this.database.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.database.close();
  }
}

function migrate(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  if (version > migrations.length) throw new Error(`it was written by a newer Deskmap (version ${version})`);
  if (version === migrations.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated while this one waited for its turn.
    const current = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
    for (const migration of migrations.slice(current)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/**
 * A map that cannot be read is never replaced: its numbers would be given out a second time, and a mark would come to
 * mean another control.
 */
function describeOpenFailure(path: string, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  const isDamaged = /not a database|malformed|corrupt/i.test(reason);
  return {
    code: "UNAVAILABLE" as const,
    message: isDamaged ? `the map is damaged: ${path}` : `the map cannot be opened: ${path} (${reason})`,
    suggestion: isDamaged
      ? `restore it from a backup, or set it aside and start a new map: mv '${path}' '${path}.damaged'`
      : "make the directory writable, or name another one: XDG_DATA_HOME=DIR deskmap …",
    done: `${nothingDone} the file is untouched.`,
  };
}
