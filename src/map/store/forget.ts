import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { blankPaths } from "./blank-paths.ts";
import { describeFailure } from "./database.ts";
import { type Hold, holdShared } from "./hold.ts";

const busyTimeoutMs = 5000;

/** What is to be forgotten. Numbers are never given out again. */
export type Forgetting =
  | { readonly by: "apps"; readonly apps: readonly string[] }
  | { readonly by: "mark"; readonly mark: number }
  | { readonly by: "taught"; readonly name: string }
  | { readonly by: "all" };

/** Where a map is shared: for everybody, or in this desktop's copy alone, because of a rule of this desktop's own. */
export type Scope = "everywhere" | "here";

/** Forgets applications: their marks, what led to them and what they were called. Returns how many marks there were. */
export function forgetApplications(path: string, apps: readonly string[], scope: Scope): Result<number> {
  return apps.length === 0 ? succeed(0) : forget(path, { by: "apps", apps }, scope);
}

/**
 * Deleting alone would leave the bytes in the file, and in the journal beside it: the file is written anew. Returns how many
 * marks there were.
 */
export function forget(path: string, what: Forgetting, scope: Scope = "everywhere"): Result<number> {
  const done = existsSync(path) ? rewrite(path, (database) => deleteTargets(database, what), scope) : succeed(0);
  if (done.ok) removeCopies(path);
  return done;
}

/** Damaged files that were set aside hold what is to be forgotten, and nobody can take it out of them. */
function removeCopies(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  const isCopy = (name: string): boolean =>
    [".damaged-", ".rescue-"].some((ending) => name.startsWith(`${basename(path)}${ending}`));
  const copies = readdirSync(folder).filter(isCopy);
  for (const name of copies) rmSync(join(folder, name), { force: true });
}

/** Deletes in one transaction, then writes the file anew. */
export function rewrite<T>(path: string, work: (database: DatabaseSync) => T, scope: Scope): Result<T> {
  let database: DatabaseSync | undefined;
  let hold: Hold | undefined;
  let isDone = false;
  try {
    hold = holdShared(path);
    database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
    database.exec("PRAGMA secure_delete = ON; BEGIN IMMEDIATE");
    const result = scope === "here" ? untold(database, work) : work(database);
    database.exec("COMMIT");
    isDone = true;
    database.exec("VACUUM");
    // Taken whole into the file, and cut: older versions of the pages lie in it. Where another process is just reading,
    // the last one to close does it.
    database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    return succeed(result);
  } catch (error) {
    const failure = describeFailure(path, error);
    return fail(isDone ? { ...failure, ...describeRemains } : failure);
  } finally {
    database?.close();
    hold?.release();
  }
}

const describeRemains = {
  suggestion: "make room on the disk, then do it again: the file is written anew then.",
  done: "it is forgotten; bytes of it may still be in the file.",
};

/** What a copy of a shared map loses by a rule of this desktop is not told to the others. */
function untold<T>(database: DatabaseSync, work: (database: DatabaseSync) => T): T {
  const isShared = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'shared_state'").get() !== undefined;
  if (!isShared) return work(database);
  database.exec("UPDATE shared_state SET is_applying = 1");
  const result = work(database);
  database.exec("UPDATE shared_state SET is_applying = 0");
  return result;
}

/** Everything that speaks of a mark, but for its row. */
const tablesOfMarks = ["evidence", "objects", "tempers", "aliases", "imported", "history"];

function deleteTargets(database: DatabaseSync, what: Forgetting): number {
  if (what.by === "all") return deleteEverything(database);
  choose(database, what);
  for (const table of tablesOfMarks) deleteChosen(database, table);
  if (what.by !== "apps") blankNames(database);
  const { changes } = database.prepare("DELETE FROM targets WHERE mark IN (SELECT mark FROM temp.chosen)").run();
  if (what.by === "apps") {
    for (const table of ["places", "windows", "names"]) {
      database
        .prepare(`DELETE FROM ${table} WHERE app IN (SELECT value FROM json_each(?))`)
        .run(JSON.stringify(what.apps));
    }
  }
  database.exec("DROP TABLE temp.chosen");
  return Number(changes);
}

/** The marks that are meant, in a table of their own: each of the others is then searched once, in its own order. */
function choose(database: DatabaseSync, what: Exclude<Forgetting, { by: "all" }>): void {
  database.exec("CREATE TEMP TABLE chosen (mark INTEGER PRIMARY KEY)");
  const ways = {
    apps: `INSERT INTO chosen SELECT mark FROM targets
      WHERE place IN (SELECT place FROM places WHERE app IN (SELECT value FROM json_each(?)))`,
    // A number that stands for another is that control.
    mark: "INSERT INTO chosen SELECT coalesce((SELECT mark FROM aliases WHERE alias = ?1), ?1)",
    taught: "INSERT INTO chosen SELECT mark FROM targets WHERE taught = ? COLLATE NOCASE",
  };
  const value = what.by === "apps" ? JSON.stringify(what.apps) : what.by === "mark" ? what.mark : what.name;
  database.prepare(ways[what.by]).run(value);
}

/** Those beside it are remembered with what stood beside them. */
function blankNames(database: DatabaseSync): void {
  const chosen = `SELECT name, app FROM targets JOIN places USING (place)
    WHERE mark IN (SELECT mark FROM temp.chosen) AND name <> ''`;
  for (const { name, app } of database.prepare(chosen).all()) {
    for (const column of ["sister_before", "sister_after", "owner"]) {
      // They are cut short there.
      const update = `UPDATE targets SET ${column} = '' WHERE ${column} <> '' AND substr(?1, 1, length(${column})) = ${column}
        AND length(${column}) >= min(length(?1), 24) AND place IN (SELECT place FROM places WHERE app = ?2)`;
      database.prepare(update).run(String(name), String(app));
    }
    blankPaths(database, String(name), String(app));
  }
}

function deleteChosen(database: DatabaseSync, table: string): void {
  database.exec(`DELETE FROM ${table} WHERE mark IN (SELECT mark FROM temp.chosen)`);
}

/** But for the counter, and for who this map is: a number that was given out stays given out. */
function deleteEverything(database: DatabaseSync): number {
  const { changes } = database.prepare("DELETE FROM targets").run();
  for (const table of [...tablesOfMarks, "places", "windows", "names", "lives", "reliability"]) {
    database.exec(`DELETE FROM ${table}`);
  }
  return Number(changes);
}
