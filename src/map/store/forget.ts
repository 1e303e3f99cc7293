import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fail, type Result, succeed } from "../../model/failure.ts";
import type { Step } from "../../model/ref.ts";
import { describeFailure } from "./database.ts";
import { type Hold, holdShared } from "./hold.ts";
import { containerKey, writePath } from "./schema.ts";

const busyTimeoutMs = 5000;

/** What to forget. Numbers are never allotted again. */
export type Forgetting =
  | { readonly by: "apps"; readonly apps: readonly string[] }
  | { readonly by: "mark"; readonly mark: number }
  | { readonly by: "taught"; readonly name: string }
  | { readonly by: "all" };

/** For a shared map: for everyone, or only in this desktop's copy because of a local rule. */
export type Scope = "everywhere" | "here";

/** Forgets applications: their marks, evidence and names. Returns the number of deleted marks. */
export function forgetApplications(path: string, apps: readonly string[], scope: Scope): Result<number> {
  return apps.length === 0 ? succeed(0) : forget(path, { by: "apps", apps }, scope);
}

/** Rewrites the file: deleted bytes would stay in it and in its journal. Returns the number of deleted marks. */
export function forget(path: string, what: Forgetting, scope: Scope = "everywhere"): Result<number> {
  const done = existsSync(path) ? rewrite(path, (database) => deleteTargets(database, what), scope) : succeed(0);
  if (done.ok) removeCopies(path);
  return done;
}

/** Damaged files kept by a rescue contain the same data, and cannot be edited. */
function removeCopies(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  const isCopy = (name: string): boolean =>
    [".damaged-", ".rescue-"].some((ending) => name.startsWith(`${basename(path)}${ending}`));
  const copies = readdirSync(folder).filter(isCopy);
  for (const name of copies) rmSync(join(folder, name), { force: true });
}

/** Deletes in one transaction, then rewrites the file. */
function rewrite<T>(path: string, work: (database: DatabaseSync) => T, scope: Scope): Result<T> {
  let database: DatabaseSync | undefined;
  let hold: Hold | undefined;
  let isDone = false;
  try {
    hold = holdShared(path);
    database = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: false });
    database.exec("PRAGMA secure_delete = ON; BEGIN IMMEDIATE");
    const result = scope === "here" ? withoutQueueing(database, work) : work(database);
    database.exec("COMMIT");
    isDone = true;
    database.exec("VACUUM");
    // Checkpoints and truncates the journal, which contains older versions of the pages. If another process is reading,
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
  suggestion: "make room on the disk, then repeat the command to rewrite the file.",
  done: "it is forgotten, but its bytes may still be in the file.",
};

/** Deletions caused by a local rule are not sent to the server. */
function withoutQueueing<T>(database: DatabaseSync, work: (database: DatabaseSync) => T): T {
  const isShared = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'shared_state'").get() !== undefined;
  if (!isShared) return work(database);
  database.exec("UPDATE shared_state SET is_applying = 1");
  const result = work(database);
  database.exec("UPDATE shared_state SET is_applying = 0");
  return result;
}

const tablesOfMarks = ["evidence", "objects", "tempers", "aliases", "imported", "history", "targets"] as const;

function deleteTargets(database: DatabaseSync, what: Forgetting): number {
  if (what.by === "all") return deleteEverything(database);
  choose(database, what);
  if (what.by !== "apps") blankNames(database);
  const { targets } = deleteChosen(database);
  if (what.by === "apps") {
    for (const table of ["places", "windows", "names"]) {
      database
        .prepare(`DELETE FROM ${table} WHERE app IN (SELECT value FROM json_each(?))`)
        .run(JSON.stringify(what.apps));
    }
  }
  return targets;
}

/** A temporary table of the chosen marks: each other table is then scanned once, in its own order. */
function choose(database: DatabaseSync, what: Exclude<Forgetting, { by: "all" }>): void {
  database.exec("CREATE TEMP TABLE chosen (mark INTEGER PRIMARY KEY)");
  const ways = {
    apps: `INSERT INTO chosen SELECT mark FROM targets
      WHERE place IN (SELECT place FROM places WHERE app IN (SELECT value FROM json_each(?)))`,
    // Resolves an alias.
    mark: "INSERT INTO chosen SELECT coalesce((SELECT mark FROM aliases WHERE alias = ?1), ?1)",
    taught: "INSERT INTO chosen SELECT mark FROM targets WHERE taught = ? COLLATE NOCASE",
  };
  const value = what.by === "apps" ? JSON.stringify(what.apps) : what.by === "mark" ? what.mark : what.name;
  database.prepare(ways[what.by]).run(value);
}

/** Other controls store the names of their neighbours: erase the forgotten ones there. */
function blankNames(database: DatabaseSync): void {
  const chosen = `SELECT name, app FROM targets JOIN places USING (place)
    WHERE mark IN (SELECT mark FROM temp.chosen) AND name <> ''`;
  for (const { name, app } of database.prepare(chosen).all()) {
    for (const column of ["sister_before", "sister_after", "owner"]) {
      // Stored sibling names are truncated.
      const update = `UPDATE targets SET ${column} = '' WHERE ${column} <> '' AND substr(?1, 1, length(${column})) = ${column}
        AND length(${column}) >= min(length(?1), 24) AND place IN (SELECT place FROM places WHERE app = ?2)`;
      database.prepare(update).run(String(name), String(app));
    }
    blankPaths(database, String(name), String(app));
  }
}

/** Deletes everything about the chosen marks. Returns the number of deleted rows by table. */
function deleteChosen(database: DatabaseSync): Record<(typeof tablesOfMarks)[number], number> {
  const counts = { targets: 0, evidence: 0, objects: 0, tempers: 0, aliases: 0, imported: 0, history: 0 };
  for (const table of tablesOfMarks) {
    const remove = `DELETE FROM ${table} WHERE mark IN (SELECT mark FROM temp.chosen)`;
    counts[table] = Number(database.prepare(remove).run().changes);
  }
  database.exec("DROP TABLE temp.chosen");
  return counts;
}

/** Keeps the counter and the map's id: an allotted number stays allotted. */
function deleteEverything(database: DatabaseSync): number {
  const { changes } = database.prepare("DELETE FROM targets").run();
  for (const table of [...tablesOfMarks, "places", "windows", "names", "lives", "reliability"]) {
    database.exec(`DELETE FROM ${table}`);
  }
  return Number(changes);
}

/**
 * Removes a forgotten name from the paths of the controls inside that container. Their evidence still matches, since it
 * is stored as hashes.
 */
function blankPaths(database: DatabaseSync, name: string, app: string): void {
  const quoted = JSON.stringify(name).slice(1, -1);
  const find = "SELECT place, windows, path FROM places WHERE app = ? AND instr(path, ?) > 0";
  for (const { place, windows, path } of database.prepare(find).all(app, quoted)) {
    const steps: readonly (readonly [Step["role"], string, number, number])[] = JSON.parse(String(path));
    const blank = steps.map(([role, called, index, count]) => {
      return { role, name: isCalled(called, name) ? "" : called, index, count };
    });
    const written = writePath(blank);
    if (written !== path) movePlace(database, Number(place), [app, String(windows), written]);
  }
}

/** A list entry is named by all its texts. */
function isCalled(called: string, name: string): boolean {
  return called.replaceAll("\u0002", "\u0001").split("\u0001").includes(name);
}

/** An existing container without the name absorbs the content. */
function movePlace(
  database: DatabaseSync,
  place: number,
  [app, windows, path]: readonly [string, string, string],
): void {
  const key = containerKey(app, windows, path);
  const insert = `INSERT OR IGNORE INTO places (key, app, windows, path, looks, state, last_seen)
    SELECT CAST(? AS INTEGER), app, windows, ?, looks, 0, last_seen FROM places WHERE place = ?`;
  database.prepare(insert).run(key, path, place);
  const move = "UPDATE targets SET place = (SELECT place FROM places WHERE key = CAST(? AS INTEGER)) WHERE place = ?";
  database.prepare(move).run(key, place);
  database.prepare("DELETE FROM places WHERE place = ?").run(place);
}

export interface PruneOptions {
  readonly days: number;
  /** Applications of which everything is kept. */
  readonly keepApps: readonly string[];
  readonly nowMs: number;
}

export interface Pruned {
  readonly targets: number;
  readonly evidence: number;
  /** Object evidence of application runs that ended long ago. */
  readonly objects: number;
  readonly lives: number;
  readonly places: number;
}

/** An application run not seen for this long has ended. */
const lifeDays = 30;
const daySeconds = 86_400;

/** Deletes old targets that are unused and untaught, and evidence that leads nowhere. Numbers stay allotted. */
export function prune(path: string, options: PruneOptions): Result<Pruned> {
  if (!existsSync(path)) return succeed({ targets: 0, evidence: 0, objects: 0, lives: 0, places: 0 });
  const work = (database: DatabaseSync): Pruned => {
    const run = (sql: string, ...values: (number | string)[]): number =>
      Number(database.prepare(sql).run(...values).changes);
    const oldest = (days: number): number => Math.floor(options.nowMs / 1000) - days * daySeconds;
    database.exec("CREATE TEMP TABLE chosen (mark INTEGER PRIMARY KEY)");
    const old = `INSERT INTO chosen SELECT mark FROM targets JOIN places USING (place)
      WHERE targets.last_seen < ?1 AND (places.last_seen < ?1 OR last_look IS NOT looks) AND taught IS NULL AND hits = 0
      AND app NOT IN (SELECT value FROM json_each(?2))`;
    run(old, oldest(options.days), JSON.stringify(options.keepApps));
    const lives = run("DELETE FROM lives WHERE last_seen < ?", oldest(Math.min(options.days, lifeDays)));
    const ended = run("DELETE FROM objects WHERE life NOT IN (SELECT life FROM lives)");
    const { targets, evidence, objects } = deleteChosen(database);
    const places = run("DELETE FROM places WHERE place NOT IN (SELECT place FROM targets)");
    // Names of applications without any remaining container are deleted too.
    for (const table of ["names", "windows"]) run(`DELETE FROM ${table} WHERE app NOT IN (SELECT app FROM places)`);
    return { targets, evidence, objects: objects + ended, lives, places };
  };
  // Local only: other desktops of a shared map may still use these controls.
  return rewrite(path, work, "here");
}
