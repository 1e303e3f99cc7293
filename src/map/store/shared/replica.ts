import { readFileSync, statSync } from "node:fs";
import type { MapFile } from "../database.ts";

/**
 * Additional tables of a local copy: its synchronisation state, its leased numbers, and a queue of changes to send. The
 * queue holds only numbers and hashes; names are read from the map when sent, so a forgotten name is in no queue.
 * Triggers fill it, so every write is queued. Rows of batch 0 are not yet sent; rows of a batch stay until the server
 * confirms it.
 */
const tables: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS shared_state (
     one INTEGER PRIMARY KEY CHECK (one = 1),
     client INTEGER NOT NULL,
     file TEXT NOT NULL,
     born TEXT,
     cursor INTEGER NOT NULL DEFAULT 0,
     batch INTEGER NOT NULL DEFAULT 0,
     is_applying INTEGER NOT NULL DEFAULT 0,
     failures INTEGER NOT NULL DEFAULT 0,
     retry_at INTEGER NOT NULL DEFAULT 0
   ) STRICT`,
  "CREATE TABLE IF NOT EXISTS shared_numbers (last INTEGER PRIMARY KEY, next INTEGER NOT NULL) STRICT",
  `CREATE TABLE IF NOT EXISTS queued_marks (
     mark INTEGER NOT NULL, batch INTEGER NOT NULL,
     new_at INTEGER, row_at INTEGER, taught_at INTEGER,
     same INTEGER NOT NULL DEFAULT 0, moved INTEGER NOT NULL DEFAULT 0,
     hits INTEGER NOT NULL DEFAULT 0, misses INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (mark, batch)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS queued_evidence (
     hash INTEGER NOT NULL, batch INTEGER NOT NULL, mark INTEGER, was INTEGER,
     is_moved INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL,
     PRIMARY KEY (hash, batch)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS queued_places (
     key INTEGER NOT NULL, batch INTEGER NOT NULL, looks INTEGER NOT NULL,
     PRIMARY KEY (key, batch)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS queued_windows (
     key INTEGER NOT NULL, batch INTEGER NOT NULL, looks INTEGER NOT NULL, layout INTEGER NOT NULL,
     PRIMARY KEY (key, batch)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS queued_names (
     app TEXT NOT NULL, name TEXT NOT NULL, batch INTEGER NOT NULL,
     PRIMARY KEY (app, name, batch)
   ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS queued_gone (
     kind TEXT NOT NULL, id INTEGER NOT NULL, batch INTEGER NOT NULL, at INTEGER NOT NULL,
     PRIMARY KEY (kind, id, batch)
   ) STRICT, WITHOUT ROWID`,
  // Rows the server rejects permanently, as numbers and hashes only.
  `CREATE TABLE IF NOT EXISTS shared_aside (
     kind TEXT NOT NULL, id INTEGER NOT NULL, code TEXT NOT NULL, at INTEGER NOT NULL,
     PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID`,
];

export const queues = [
  "queued_marks",
  "queued_evidence",
  "queued_places",
  "queued_windows",
  "queued_names",
  "queued_gone",
] as const;

const nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** The columns that describe a target, in the order in which they are sent and received. */
export const describedColumns: readonly string[] = [
  ...[
    "role",
    "name",
    "platform_id",
    "position",
    "alike",
    "owner",
    "sister_before",
    "sister_after",
    "twins",
    "has_twin",
  ],
  ...["x", "y", "width", "height", "press_x", "press_y", "source", "certainty", "parent", "visual_hash", "feedback"],
  "layout",
];

/** What a read or a new name changes, except counts and taught names. */
const rowColumns = ["place", ...describedColumns, "last_seen", "last_look"];

const rowOf = (which: string): string => `(${rowColumns.map((column) => `${which}.${column}`).join(", ")})`;

function onEvidence(event: string, hash: string, mark: string, was: string): string {
  return trigger(
    "evidence",
    event,
    `INSERT INTO queued_evidence (hash, batch, mark, was, at) VALUES (${hash}, 0, ${mark}, ${was}, ${nowMs})
     ON CONFLICT (hash, batch) DO UPDATE SET mark = excluded.mark, at = excluded.at,
       is_moved = max(is_moved, excluded.mark IS NULL OR coalesce(queued_evidence.mark <> excluded.mark, 0))`,
  );
}

/** Changes received from the server are not queued. */
function trigger(table: string, event: string, ...statements: readonly string[]): string {
  const name = `shared_${table}_${event.split(" ", 1)[0]?.toLowerCase()}`;
  return `CREATE TRIGGER IF NOT EXISTS ${name} AFTER ${event} ON ${table}
    WHEN (SELECT is_applying FROM shared_state) = 0 BEGIN ${statements.join("; ")}; END`;
}

function noteGone(kind: string, id: string): string {
  return `INSERT OR REPLACE INTO queued_gone (kind, id, batch, at) VALUES (${kind}, ${id}, 0, ${nowMs})`;
}

/** Deleting an application's last container means the whole application, including what other desktops know. */
const placeKind = "iif(EXISTS (SELECT 1 FROM places WHERE app = old.app), 'p', 'l')";

const triggers: readonly string[] = [
  trigger(
    "targets",
    "INSERT",
    `INSERT INTO queued_marks (mark, batch, new_at, row_at, taught_at, same, moved, hits, misses)
     VALUES (new.mark, 0, ${nowMs}, ${nowMs}, iif(new.taught IS NULL, NULL, ${nowMs}), new.same, new.moved, new.hits, new.misses)`,
  ),
  trigger(
    "targets",
    "UPDATE",
    `INSERT INTO queued_marks (mark, batch, row_at, taught_at, same, moved, hits, misses)
     VALUES (new.mark, 0, iif(${rowOf("new")} IS ${rowOf("old")}, NULL, ${nowMs}),
       iif(new.taught IS old.taught, NULL, ${nowMs}), new.same - old.same, new.moved - old.moved, new.hits - old.hits,
       new.misses - old.misses)
     ON CONFLICT (mark, batch) DO UPDATE SET row_at = coalesce(excluded.row_at, row_at),
       taught_at = coalesce(excluded.taught_at, taught_at), same = same + excluded.same, moved = moved + excluded.moved,
       hits = hits + excluded.hits, misses = misses + excluded.misses`,
    // Targets seen only in a picture are valid in one window of this machine.
    "DELETE FROM queued_marks WHERE mark = new.mark AND batch = 0 AND new.source = 1",
  ),
  trigger("targets", "DELETE", "DELETE FROM queued_marks WHERE mark = old.mark", noteGone("'m'", "old.mark")),
  onEvidence("INSERT", "new.hash", "new.mark", "NULL"),
  onEvidence("UPDATE OF mark", "new.hash", "new.mark", "old.mark"),
  onEvidence("DELETE", "old.hash", "NULL", "old.mark"),
  trigger("places", "INSERT", "INSERT INTO queued_places (key, batch, looks) VALUES (new.key, 0, new.looks)"),
  trigger(
    "places",
    "UPDATE",
    `INSERT INTO queued_places (key, batch, looks) VALUES (new.key, 0, new.looks - old.looks)
     ON CONFLICT (key, batch) DO UPDATE SET looks = looks + excluded.looks`,
  ),
  trigger("places", "DELETE", "DELETE FROM queued_places WHERE key = old.key", noteGone(placeKind, "old.key")),
  trigger(
    "windows",
    "INSERT",
    "INSERT INTO queued_windows (key, batch, looks, layout) VALUES (new.key, 0, new.looks, new.layout - 1)",
  ),
  trigger(
    "windows",
    "UPDATE",
    `INSERT INTO queued_windows (key, batch, looks, layout) VALUES (new.key, 0, new.looks - old.looks, new.layout - old.layout)
     ON CONFLICT (key, batch) DO UPDATE SET looks = looks + excluded.looks, layout = layout + excluded.layout`,
  ),
  trigger("windows", "DELETE", "DELETE FROM queued_windows WHERE key = old.key"),
  trigger("names", "INSERT", "INSERT OR IGNORE INTO queued_names (app, name, batch) VALUES (new.app, new.name, 0)"),
  trigger("names", "DELETE", "DELETE FROM queued_names WHERE app = old.app AND name = old.name"),
];

export interface ReplicaState {
  readonly client: string;
  /** Identifies the shared map; undefined until it is first reached. */
  readonly born: string | undefined;
  readonly cursor: number;
  readonly batch: number;
  readonly failures: number;
  readonly retryAtMs: number;
}

/** Turns a file into a copy of a shared map. Returns false if it holds an unshared map. */
export function prepareReplica(file: MapFile): boolean {
  const made =
    "SELECT count(*) AS amount FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'shared\\_%' ESCAPE '\\'";
  const isWhole = file.get("SELECT 1 FROM sqlite_master WHERE name = 'shared_aside'") !== undefined;
  if (Number(file.get(made)?.amount) !== triggers.length || !isWhole) {
    const isNew = file.get("SELECT 1 FROM sqlite_master WHERE name = 'shared_state'") === undefined;
    if (isNew && file.get("SELECT 1 FROM targets LIMIT 1") !== undefined) return false;
    file.inTransaction(() => {
      for (const statement of tables) file.run(statement);
      file.run(
        "INSERT OR IGNORE INTO shared_state (one, client, file) VALUES (1, abs(random()), ?)",
        identify(file.path),
      );
      for (const statement of triggers) file.run(statement);
    });
  }
  file.get("PRAGMA secure_delete = ON");
  const known = file.get("SELECT file FROM shared_state");
  if (known?.file !== identify(file.path)) file.inTransaction(() => resetIdentity(file));
  return true;
}

export function readState(file: MapFile): ReplicaState {
  const row = file.get(
    `SELECT CAST(client AS TEXT) AS client, born, cursor, batch, failures, retry_at FROM shared_state`,
  );
  return {
    client: String(row?.client),
    born: row?.born === null ? undefined : String(row?.born),
    cursor: Number(row?.cursor),
    batch: Number(row?.batch),
    failures: Number(row?.failures),
    retryAtMs: Number(row?.retry_at),
  };
}

/**
 * For a file that was copied with a machine image or restored from a backup: its numbers may be in use elsewhere, and
 * its counts are sent by the other copy. It continues as a separate desktop with new numbers.
 */
export function resetIdentity(file: MapFile): void {
  file.run("UPDATE shared_state SET client = abs(random()), batch = 0, file = ?", identify(file.path));
  file.run("DELETE FROM shared_numbers");
  file.run("UPDATE queued_marks SET same = 0, moved = 0, hits = 0, misses = 0");
  file.run("UPDATE queued_places SET looks = 0");
  file.run("UPDATE queued_windows SET looks = 0, layout = 0");
  for (const queue of queues) file.run(`UPDATE OR REPLACE ${queue} SET batch = 0 WHERE batch > 0`);
}

/** Differs between a file and its copy, even if the whole machine was cloned. */
function identify(path: string): string {
  const { ino, birthtimeMs } = statSync(path);
  return `${readMachine()} ${ino} ${Math.floor(birthtimeMs)}`;
}

function readMachine(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
}
