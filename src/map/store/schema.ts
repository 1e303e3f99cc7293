import type { DatabaseSync } from "node:sqlite";
import { hashNear } from "../../model/hash.ts";
import type { Step } from "../../model/ref.ts";

/** Stored in `user_version`. Before the first release there are no migrations: other versions are refused. */
export const schemaVersion = 5;

/**
 * Positions are in pixels from the window's upper left corner, times in seconds, confidence in thousandths. Siblings share
 * the row of their container in `places`. AUTOINCREMENT keeps SQLite from reusing the number of a deleted last row. Hashes
 * are integers: a third of the bytes. `objects` is grouped by application run (`lives`), so that a run can be dropped.
 * `names` holds every name of an application in lower case: a person may use any of them to make it blind. `imported`
 * records the source of counts, so that nothing counts twice. `own` also has the last input to each process. `tempers.is_calm` is 0 for a control that changes by itself.
 */
const schema = `
   CREATE TABLE places (
     place INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE,
     app TEXT NOT NULL, windows TEXT NOT NULL, path TEXT NOT NULL,
     looks INTEGER NOT NULL DEFAULT 0, state INTEGER NOT NULL DEFAULT 0, last_seen INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX places_of_app ON places (app);
   CREATE TABLE targets (
     mark INTEGER PRIMARY KEY AUTOINCREMENT, place INTEGER NOT NULL,
     role TEXT NOT NULL, name TEXT NOT NULL, platform_id TEXT NOT NULL, position INTEGER NOT NULL, alike INTEGER NOT NULL,
     owner TEXT NOT NULL, sister_before TEXT NOT NULL, sister_after TEXT NOT NULL,
     twins INTEGER NOT NULL, has_twin INTEGER NOT NULL,
     x INTEGER, y INTEGER, width INTEGER, height INTEGER, press_x INTEGER, press_y INTEGER,
     source INTEGER NOT NULL DEFAULT 0, certainty REAL,
     first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL, last_look INTEGER,
     same INTEGER NOT NULL DEFAULT 0, moved INTEGER NOT NULL DEFAULT 0,
     hits INTEGER NOT NULL DEFAULT 0, misses INTEGER NOT NULL DEFAULT 0,
     taught TEXT, feedback TEXT, parent INTEGER, visual_hash TEXT, layout INTEGER NOT NULL DEFAULT 1
   ) STRICT;
   CREATE INDEX targets_of_place ON targets (place);
   CREATE INDEX targets_taught ON targets (place) WHERE taught IS NOT NULL;
   CREATE INDEX targets_bare ON targets (place) WHERE source IN (3, 1);
   CREATE INDEX targets_used ON targets (place) WHERE hits > 0;
   CREATE TABLE windows (
     key INTEGER PRIMARY KEY, app TEXT NOT NULL, name TEXT NOT NULL,
     layout INTEGER NOT NULL DEFAULT 1, looks INTEGER NOT NULL DEFAULT 0, last_seen INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE aliases (alias INTEGER PRIMARY KEY, mark INTEGER NOT NULL) STRICT;
   CREATE TABLE reliability (
     bin INTEGER PRIMARY KEY, hits INTEGER NOT NULL DEFAULT 0, misses INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE own (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
   INSERT INTO own (name, value) VALUES ('map', lower(hex(randomblob(16))));
   CREATE TABLE imported (
     origin TEXT NOT NULL, number INTEGER NOT NULL, mark INTEGER NOT NULL,
     same INTEGER NOT NULL, moved INTEGER NOT NULL, hits INTEGER NOT NULL, misses INTEGER NOT NULL,
     PRIMARY KEY (origin, number)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX imported_marks ON imported (mark);
   CREATE TABLE lives (life INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, last_seen INTEGER NOT NULL) STRICT;
   CREATE TABLE objects (
     life INTEGER NOT NULL, hash INTEGER NOT NULL, mark INTEGER NOT NULL,
     PRIMARY KEY (life, hash)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE evidence (hash INTEGER PRIMARY KEY, mark INTEGER NOT NULL) STRICT;
   CREATE TABLE tempers (mark INTEGER PRIMARY KEY, is_calm INTEGER NOT NULL) STRICT;
   CREATE TABLE names (app TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (app, name)) STRICT, WITHOUT ROWID;
   CREATE TABLE history (
     mark INTEGER NOT NULL, at INTEGER NOT NULL,
     confidence INTEGER NOT NULL, hits INTEGER NOT NULL, misses INTEGER NOT NULL,
     PRIMARY KEY (mark, at)
   ) STRICT, WITHOUT ROWID;
   PRAGMA user_version = ${schemaVersion};`;

export function readVersion(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
}

/** Does nothing if the file has a schema already. */
export function createSchema(database: DatabaseSync): void {
  if (readVersion(database) === 0) database.exec(schema);
}

/** Containers as they are stored: without field names, which would be most of the bytes. */
export function writePath(path: readonly Step[]): string {
  return JSON.stringify(path.map(({ role, name, index, count }) => [role, name, index, count]));
}

/** Identifies a container by its application, its window's stable name and its path, both as stored. */
export function containerKey(app: string, windows: string, path: string): string {
  const names: readonly string[] = JSON.parse(windows);
  return hashNear(app, [app, names.at(-1) ?? "", path].join("\u0004"));
}
