import type { DatabaseSync } from "node:sqlite";
import { hashNear, moveNear } from "../../model/hash.ts";
import type { Step } from "../../model/ref.ts";

/** Append only: a migration that has been released is never changed. The number of the last one applied is user_version. */
export const migrations: readonly string[] = [
  // 1. AUTOINCREMENT, since SQLite would otherwise give the number of a deleted last row out again.
  `CREATE TABLE marks (
     mark INTEGER PRIMARY KEY AUTOINCREMENT,
     app TEXT NOT NULL,
     ref TEXT NOT NULL,
     first_seen INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE evidence (
     hash TEXT PRIMARY KEY,
     mark INTEGER NOT NULL REFERENCES marks (mark)
   ) STRICT, WITHOUT ROWID;`,
  // 2. Whether a control changes by itself, as a clock does: 1 it was watched and did not, 0 it did.
  `CREATE TABLE tempers (
     mark INTEGER PRIMARY KEY REFERENCES marks (mark),
     is_calm INTEGER NOT NULL
   ) STRICT;`,
  // 3. By which names, in lower case, the applications were called: who makes one blind may call it by any of them.
  `CREATE TABLE names (
     app TEXT NOT NULL,
     name TEXT NOT NULL,
     PRIMARY KEY (app, name)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO names SELECT DISTINCT app, lower(app) FROM marks;`,
  // 4. What is learned about each control, and where it is: sisters share their container, which is stored once. Places are
  // in pixels from the upper left corner of the window, times in seconds. What holds only while an application lives is
  // kept apart by its life, so that it can be dropped with it. Hashes are whole numbers: a third of the bytes. Acts are also
  // counted by how sure the map was before them, and what came from other maps by where it came from, so that whatever comes
  // a second time is not counted twice.
  `CREATE TABLE places (
     place INTEGER PRIMARY KEY,
     key INTEGER NOT NULL UNIQUE,
     app TEXT NOT NULL,
     windows TEXT NOT NULL,
     path TEXT NOT NULL,
     looks INTEGER NOT NULL DEFAULT 0,
     state INTEGER NOT NULL DEFAULT 0,
     last_seen INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE INDEX places_of_app ON places (app);
   CREATE TABLE targets (
     mark INTEGER PRIMARY KEY AUTOINCREMENT,
     place INTEGER NOT NULL,
     role TEXT NOT NULL,
     name TEXT NOT NULL,
     platform_id TEXT NOT NULL,
     position INTEGER NOT NULL,
     alike INTEGER NOT NULL,
     owner TEXT NOT NULL,
     sister_before TEXT NOT NULL,
     sister_after TEXT NOT NULL,
     twins INTEGER NOT NULL,
     has_twin INTEGER NOT NULL,
     x INTEGER, y INTEGER, width INTEGER, height INTEGER,
     press_x INTEGER, press_y INTEGER,
     source INTEGER NOT NULL DEFAULT 0,
     certainty REAL,
     first_seen INTEGER NOT NULL,
     last_seen INTEGER NOT NULL,
     last_look INTEGER,
     same INTEGER NOT NULL DEFAULT 0,
     moved INTEGER NOT NULL DEFAULT 0,
     hits INTEGER NOT NULL DEFAULT 0,
     misses INTEGER NOT NULL DEFAULT 0,
     taught TEXT,
     feedback TEXT,
     parent INTEGER,
     visual_hash TEXT,
     layout INTEGER NOT NULL DEFAULT 1
   ) STRICT;
   CREATE INDEX targets_of_place ON targets (place);
   CREATE INDEX targets_taught ON targets (place) WHERE taught IS NOT NULL;
   CREATE INDEX targets_bare ON targets (place) WHERE source IN (3, 1);
   CREATE INDEX targets_used ON targets (place) WHERE hits > 0;
   CREATE TABLE windows (
     key INTEGER PRIMARY KEY,
     app TEXT NOT NULL,
     name TEXT NOT NULL,
     layout INTEGER NOT NULL DEFAULT 1,
     looks INTEGER NOT NULL DEFAULT 0,
     last_seen INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE aliases (
     alias INTEGER PRIMARY KEY,
     mark INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE reliability (
     bin INTEGER PRIMARY KEY,
     hits INTEGER NOT NULL DEFAULT 0,
     misses INTEGER NOT NULL DEFAULT 0
   ) STRICT;
   CREATE TABLE own (
     name TEXT PRIMARY KEY,
     value TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   INSERT INTO own (name, value) VALUES ('map', lower(hex(randomblob(16))));
   CREATE TABLE imported (
     origin TEXT NOT NULL,
     number INTEGER NOT NULL,
     mark INTEGER NOT NULL,
     same INTEGER NOT NULL,
     moved INTEGER NOT NULL,
     hits INTEGER NOT NULL,
     misses INTEGER NOT NULL,
     PRIMARY KEY (origin, number)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX imported_marks ON imported (mark);
   CREATE TABLE lives (
     life INTEGER PRIMARY KEY,
     key INTEGER NOT NULL UNIQUE,
     last_seen INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE objects (
     life INTEGER NOT NULL,
     hash INTEGER NOT NULL,
     mark INTEGER NOT NULL,
     PRIMARY KEY (life, hash)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO places (key, app, windows, path)
     SELECT DISTINCT place_key(app, ref ->> '$.windows', short_path(ref ->> '$.path')), app, ref ->> '$.windows',
       short_path(ref ->> '$.path') FROM marks
     WHERE true ON CONFLICT (key) DO NOTHING;
   INSERT INTO targets (mark, place, role, name, platform_id, position, alike, owner, sister_before, sister_after, twins,
       has_twin, first_seen, last_seen)
     SELECT mark, (SELECT place FROM places WHERE key = place_key(marks.app, ref ->> '$.windows', short_path(ref ->> '$.path'))),
       ref ->> '$.role', ref ->> '$.name', ref ->> '$.platformId', ref ->> '$.index', ref ->> '$.count', ref ->> '$.owner',
       coalesce(ref ->> '$.sisters[0]', ''), coalesce(ref ->> '$.sisters[1]', ''), coalesce(ref ->> '$.twins', 0),
       coalesce(ref ->> '$.hasTwin', 0), first_seen / 1000, first_seen / 1000
     FROM marks;
   DELETE FROM sqlite_sequence WHERE name = 'targets';
   INSERT INTO sqlite_sequence (name, seq) SELECT 'targets', seq FROM sqlite_sequence WHERE name = 'marks';
   ALTER TABLE evidence RENAME TO old_evidence;
   CREATE TABLE evidence (
     hash INTEGER PRIMARY KEY,
     mark INTEGER NOT NULL
   ) STRICT;
   INSERT OR REPLACE INTO evidence (hash, mark) SELECT near_hash(old_evidence.hash, app), mark
     FROM old_evidence JOIN marks USING (mark);
   DROP TABLE old_evidence;
   ALTER TABLE tempers RENAME TO old_tempers;
   CREATE TABLE tempers (
     mark INTEGER PRIMARY KEY,
     is_calm INTEGER NOT NULL
   ) STRICT;
   INSERT INTO tempers SELECT mark, is_calm FROM old_tempers;
   DROP TABLE old_tempers;
   DROP TABLE marks;`,
  // 5. How far controls were relied on over time: confidence in thousandths, and what was done to them until then.
  `CREATE TABLE history (
     mark INTEGER NOT NULL,
     at INTEGER NOT NULL,
     confidence INTEGER NOT NULL,
     hits INTEGER NOT NULL,
     misses INTEGER NOT NULL,
     PRIMARY KEY (mark, at)
   ) STRICT, WITHOUT ROWID;`,
];

/** From this version on there are targets; before, there were marks with a ref each. */
export const firstWithTargets = 4;

/** Up to a version, from wherever the file is. */
export function runMigrations(database: DatabaseSync, version: number): void {
  for (const [name, run] of Object.entries(migrationFunctions)) database.function(name, { deterministic: true }, run);
  const done = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  for (const migration of migrations.slice(done, version)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${version}`);
}

/** What migrations need beyond SQL. */
const migrationFunctions: Readonly<Record<string, (...given: readonly unknown[]) => string | bigint>> = {
  /** Where sisters are: their application, what tells their window from others at any title, and their containers. */
  place_key: (app, windows, path) => BigInt(containerKey(String(app), String(windows), String(path))),
  short_path: (path) => writePath(JSON.parse(String(path))),
  /** Hashes were 128 bits, as two numbers with 36 digits; the lower one is today's, but for the bits of the application. */
  near_hash: (hash, app) => {
    let value = 0n;
    for (const digit of String(hash).slice(-13)) value = value * 36n + BigInt(Number.parseInt(digit, 36));
    return moveNear(String(app), value);
  },
};

/** Containers as they are stored: without the names of their fields, which would be most of the bytes. */
export function writePath(path: readonly Step[]): string {
  return JSON.stringify(path.map(({ role, name, index, count }) => [role, name, index, count]));
}

/** `windows` and `path` as they are stored. */
export function containerKey(app: string, windows: string, path: string): string {
  const names: readonly string[] = JSON.parse(windows);
  return hashNear(app, [app, names.at(-1) ?? "", path].join("\u0004"));
}
