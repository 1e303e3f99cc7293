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
];
