import type { MapFile } from "./database.ts";
import { nowInSeconds } from "./rows.ts";

/** So many runs of applications are known by their very objects; older ones have ended long since. */
const maxLives = 500;

/** Remembers what objects were shown as, by the hash of the run that they belong to. */
export function setObjects(file: MapFile, evidence: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
  // In the order in which they are stored: each is then put behind the one before.
  const upsert = `INSERT INTO objects (life, hash, mark) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?) WHERE true
    ORDER BY 2 ON CONFLICT (life, hash) DO UPDATE SET mark = excluded.mark`;
  for (const [life, pairs] of evidence) {
    file.run(upsert, openLife(file, life), listPairs(pairs));
    sweep(file, pairs.size);
  }
}

/** Hashes are whole numbers that no JavaScript number can hold: they go in as text. */
export function listPairs(pairs: ReadonlyMap<string, number>): string {
  return `[${[...pairs].map(([hash, mark]) => `[${hash},${mark}]`).join(",")}]`;
}

/** The number of an application's run. The oldest end: nobody finds them any more, and their objects are swept by and by. */
function openLife(file: MapFile, key: string): number {
  const find = "SELECT life FROM lives WHERE key = CAST(? AS INTEGER)";
  const known = file.get(find, key);
  if (known !== undefined) return Number(known.life);
  // The number stays taken until nothing speaks of it.
  const end = `UPDATE lives SET key = random(), last_seen = 0 WHERE life IN (
    SELECT life FROM lives WHERE last_seen > 0 ORDER BY last_seen DESC, life DESC LIMIT -1 OFFSET ?)`;
  file.run(end, maxLives - 1);
  file.run("INSERT INTO lives (key, last_seen) VALUES (CAST(? AS INTEGER), ?)", key, nowInSeconds());
  return Number(file.get(find, key)?.life);
}

/**
 * As many go as have come: a run may leave ten thousand objects, and whoever opens the next one waits for as long as its own
 * take, and not for those.
 */
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
