import type { MapFile } from "./database.ts";
import { nowInSeconds } from "./rows.ts";

/** How many application runs keep their object evidence; older runs have ended long ago. */
const maxLives = 500;

/** Records which mark each object was shown under, by the hash of its application run. */
export function setObjects(file: MapFile, evidence: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
  // Sorted by key, so rows are appended in storage order.
  const upsert = `INSERT INTO objects (life, hash, mark) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
    ORDER BY 2 ON CONFLICT (life, hash) DO UPDATE SET mark = excluded.mark`;
  for (const [life, pairs] of evidence) {
    file.run(upsert, openLife(file, life), listPairs(pairs));
    sweep(file, pairs.size);
  }
}

/** Hashes exceed the range of JavaScript numbers and are passed as text. */
export function listPairs(pairs: ReadonlyMap<string, number>): string {
  return `[${[...pairs].map(([hash, mark]) => `[${hash},${mark}]`).join(",")}]`;
}

/** The id of an application run. The oldest runs are no longer found, and their objects are deleted gradually. */
function openLife(file: MapFile, key: string): number {
  const find = "SELECT life FROM lives WHERE key = CAST(? AS INTEGER)";
  const known = file.get(find, key);
  if (known !== undefined) return Number(known.life);
  // The id stays in use until no object refers to it.
  const end = `UPDATE lives SET key = random(), last_seen = 0 WHERE life IN (
    SELECT life FROM lives WHERE last_seen > 0 ORDER BY last_seen DESC, life DESC LIMIT -1 OFFSET ?)`;
  file.run(end, maxLives - 1);
  file.run("INSERT INTO lives (key, last_seen) VALUES (CAST(? AS INTEGER), ?)", key, nowInSeconds());
  return Number(file.get(find, key)?.life);
}

/** Deletes as many objects as were added: a run may leave ten thousand, too many for the next write to delete. */
function sweep(file: MapFile, most: number): void {
  const some = "SELECT hash FROM objects WHERE life = ?1 ORDER BY hash LIMIT ?2";
  const empty = "life = ? AND NOT EXISTS (SELECT 1 FROM objects WHERE objects.life = lives.life)";
  for (let left = most; left > 0; ) {
    const ended = file.get("SELECT life FROM lives WHERE last_seen = 0 LIMIT 1");
    if (ended === undefined) return;
    const life = Number(ended.life);
    left -= file.run(`DELETE FROM objects WHERE life = ?1 AND hash IN (${some})`, life, left);
    if (file.run(`DELETE FROM lives WHERE ${empty}`, life) === 0) return;
  }
}
