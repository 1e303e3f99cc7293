import type { MapFile } from "../database.ts";
import type { Answer, Question } from "./connect.ts";
import { sharedColumns, takeEvidence, takePlaces, takeTargets, takeWindows } from "./incoming-rows.ts";
import { queues, readState, resetIdentity } from "./replica.ts";
import { clearTaken } from "./set-aside.ts";

/**
 * Applies the server's changes to the local copy. Local changes stay on top until the server has them. Returns true if
 * something was forgotten whose bytes are still in the file.
 */
export function takeAnswer(
  file: MapFile,
  asked: Pick<Question, "client" | "cursor" | "isPull">,
  answer: Answer,
): boolean {
  return file.inTransaction(() => {
    const state = readState(file);
    if (state.client !== asked.client) return false;
    // The server has batches this file does not know: the file was restored from a backup.
    if (answer.applied > state.batch) {
      resetIdentity(file);
      return false;
    }
    clearTaken(file, answer.applied);
    for (const queue of queues) file.run(`DELETE FROM ${queue} WHERE batch > 0 AND batch <= ?`, answer.applied);
    const [first, last] = answer.numbers ?? [0, 0];
    if (last > 0) file.run("INSERT OR IGNORE INTO shared_numbers (last, next) VALUES (?, ?)", last, first);
    file.run("UPDATE shared_state SET born = ?, failures = 0, retry_at = 0", answer.born);
    // Another process of this desktop has received more meanwhile.
    if (!asked.isPull || state.cursor !== asked.cursor || answer.reached <= asked.cursor) return false;
    file.run("UPDATE shared_state SET is_applying = 1");
    const hasForgotten = takeGone(file, answer.lists.gone);
    takeAliases(file, answer.lists.aliases);
    takePlaces(file, answer.lists.places);
    takeTargets(file, answer.lists.targets);
    takeEvidence(file, answer.lists.evidence);
    takeWindows(file, answer.lists.windows);
    file.run(
      "INSERT OR IGNORE INTO names (app, name) SELECT value ->> 0, value ->> 1 FROM json_each(?)",
      answer.lists.names,
    );
    if (hasForgotten && answer.reached >= answer.head) dropNames(file);
    file.run("UPDATE shared_state SET is_applying = 0, cursor = ?", answer.reached);
    return hasForgotten;
  });
}

const nothing = "[]";

function takeGone(file: MapFile, gone: string): boolean {
  if (gone === nothing) return false;
  const ids = (kind: string): string => `SELECT value ->> 1 FROM json_each(?1) WHERE value ->> 0 = '${kind}'`;
  const marks = ids("m");
  const empty = `key IN (${ids("p")}) AND NOT EXISTS (SELECT 1 FROM targets WHERE targets.place = places.place)`;
  const count = file.run(`DELETE FROM targets WHERE mark IN (${marks})`, gone);
  for (const table of ["evidence", "objects", "tempers", "history", "queued_marks", "queued_evidence"]) {
    file.run(`DELETE FROM ${table} WHERE mark IN (${marks})`, gone);
  }
  file.run(`DELETE FROM aliases WHERE mark IN (${marks}) OR alias IN (${marks})`, gone);
  file.run(`DELETE FROM queued_places WHERE key IN (SELECT key FROM places WHERE ${empty})`, gone);
  const places = file.run(`DELETE FROM places WHERE ${empty}`, gone);
  return count + places > 0;
}

/** Names of applications without any remaining container are deleted too. */
function dropNames(file: MapFile): void {
  const isLost = "app NOT IN (SELECT app FROM places)";
  file.run(`DELETE FROM names WHERE ${isLost} AND (app, name) NOT IN (SELECT app, name FROM queued_names)`);
  file.run(`DELETE FROM windows WHERE ${isLost} AND key NOT IN (SELECT key FROM queued_windows)`);
}

/** When two numbers turn out to mean one control, the younger becomes an alias of the elder. */
function takeAliases(file: MapFile, aliases: string): void {
  if (aliases === nothing) return;
  file.run("INSERT OR REPLACE INTO aliases (alias, mark) SELECT value ->> 0, value ->> 1 FROM json_each(?)", aliases);
  const own = file.all("SELECT mark FROM targets WHERE mark IN (SELECT value ->> 0 FROM json_each(?))", aliases);
  if (own.length === 0) return;
  const younger = JSON.stringify(own.map(({ mark }) => mark));
  const isYounger = (column: string): string => `${column} IN (SELECT value FROM json_each(?1))`;
  const elder = (column: string): string => `(SELECT aliases.mark FROM aliases WHERE alias = ${column})`;
  const moves = [
    ...["evidence", "objects", "queued_evidence"].map((table) => [table, "mark"] as const),
    ...[["queued_evidence", "was"] as const, ["targets", "parent"] as const],
  ];
  for (const [table, column] of moves) {
    file.run(`UPDATE ${table} SET ${column} = ${elder(`${table}.${column}`)} WHERE ${isYounger(column)}`, younger);
  }
  file.run(
    `INSERT INTO tempers (mark, is_calm) SELECT ${elder("tempers.mark")}, is_calm FROM tempers WHERE ${isYounger("mark")}
      ON CONFLICT (mark) DO UPDATE SET is_calm = min(is_calm, excluded.is_calm)`,
    younger,
  );
  file.run(
    `INSERT INTO queued_marks (mark, batch, row_at, taught_at, same, moved, hits, misses)
      SELECT ${elder("q.mark")}, batch, row_at, taught_at, same, moved, hits, misses FROM queued_marks q WHERE ${isYounger("q.mark")}
      ON CONFLICT (mark, batch) DO UPDATE SET row_at = coalesce(excluded.row_at, row_at),
        taught_at = coalesce(excluded.taught_at, taught_at), same = same + excluded.same, moved = moved + excluded.moved,
        hits = hits + excluded.hits, misses = misses + excluded.misses`,
    younger,
  );
  // Pending changes of the younger are moved to the elder.
  file.run(
    `INSERT OR IGNORE INTO targets (mark, place, ${sharedColumns.join(", ")})
      SELECT ${elder("t.mark")}, place, ${sharedColumns.join(", ")} FROM targets t WHERE ${isYounger("t.mark")}`,
    younger,
  );
  for (const table of ["targets", "tempers", "history", "queued_marks"]) {
    file.run(`DELETE FROM ${table} WHERE ${isYounger("mark")}`, younger);
  }
}
