import type { MapFile } from "../database.ts";
import type { Answer, Question } from "./connect.ts";
import { describedColumns, queues, readState, resetIdentity } from "./replica.ts";
import { clearTaken } from "./set-aside.ts";

const counted = ["same", "moved", "hits", "misses"];
const sharedColumns: readonly string[] = [
  ...describedColumns,
  ...["first_seen", "last_seen", "last_look"],
  ...counted,
  "taught",
];

const field = (column: string): string => `value ->> ${sharedColumns.indexOf(column) + 2}`;
const placeOf = "(SELECT place FROM places WHERE key = value ->> 1)";
const waiting = (column: string): string =>
  `coalesce((SELECT sum(q.${column}) FROM queued_marks q WHERE q.mark = targets.mark), 0)`;
const isWaiting = (what: string): string => `mark IN (SELECT mark FROM queued_marks WHERE ${what} IS NOT NULL)`;

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

function takeTargets(file: MapFile, targets: string): void {
  const columns = ["mark", "place", ...sharedColumns].join(", ");
  const values = ["value ->> 0", placeOf, ...sharedColumns.map(field)].join(", ");
  const added = file.run(`INSERT OR IGNORE INTO targets (${columns}) SELECT ${values} FROM json_each(?)`, targets);
  // A desktop that joins has none of them: the updates below would do nothing.
  if (added === Number(file.get("SELECT json_array_length(?) AS amount", targets)?.amount)) return;
  const update = (settings: readonly string[], condition = "true"): number =>
    file.run(
      `UPDATE targets SET ${settings.join(", ")} FROM json_each(?) WHERE mark = value ->> 0 AND ${condition}`,
      targets,
    );
  const looked = [...describedColumns, "last_seen", "last_look"].map((column) => `${column} = ${field(column)}`);
  update([`place = ${placeOf}`, ...looked], `NOT ${isWaiting("row_at")}`);
  const sums = counted.map((column) => `${column} = ${field(column)} + ${waiting(column)}`);
  update([`first_seen = ${field("first_seen")}`, ...sums]);
  update([`taught = ${field("taught")}`], `NOT ${isWaiting("taught_at")}`);
}

/**
 * Other desktops have read the containers too: what was present in the last local read, not yet sent, counts as present
 * in the last one.
 */
function takePlaces(file: MapFile, places: string): void {
  const looks = "value ->> 4 + coalesce((SELECT sum(q.looks) FROM queued_places q WHERE q.key = value ->> 0), 0)";
  file.run(
    `UPDATE targets SET last_look = last_look + news.more
      FROM (SELECT p.place AS place, ${looks} - p.looks AS more FROM json_each(?) JOIN places p ON p.key = value ->> 0) AS news
      WHERE targets.place = news.place AND news.more <> 0 AND ${isWaiting("row_at")}`,
    places,
  );
  file.run(
    `UPDATE places SET looks = ${looks},
        windows = iif(EXISTS (SELECT 1 FROM queued_places q WHERE q.key = places.key), windows, value ->> 2)
      FROM json_each(?) WHERE places.key = value ->> 0`,
    places,
  );
  file.run(
    `INSERT OR IGNORE INTO places (key, app, windows, path, looks)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`,
    places,
  );
}

function takeEvidence(file: MapFile, evidence: string): void {
  const isOpen = "NOT EXISTS (SELECT 1 FROM queued_evidence q WHERE q.hash = value ->> 0)";
  file.run(
    `DELETE FROM evidence WHERE hash IN (SELECT value ->> 0 FROM json_each(?) WHERE value ->> 1 IS NULL AND ${isOpen})`,
    evidence,
  );
  file.run(
    `INSERT INTO evidence (hash, mark)
      SELECT value ->> 0, value ->> 1 FROM json_each(?) WHERE value ->> 1 IS NOT NULL AND ${isOpen}
      ON CONFLICT (hash) DO UPDATE SET mark = excluded.mark`,
    evidence,
  );
}

function takeWindows(file: MapFile, windows: string): void {
  const sum = (column: string): string =>
    `coalesce((SELECT sum(q.${column}) FROM queued_windows q WHERE q.key = value ->> 0), 0)`;
  file.run(
    `INSERT INTO windows (key, app, name, layout, looks, last_seen)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 + ${sum("layout")}, value ->> 4 + ${sum("looks")}, value ->> 5
      FROM json_each(?) WHERE true
      ON CONFLICT (key) DO UPDATE SET layout = excluded.layout, looks = excluded.looks, last_seen = excluded.last_seen`,
    windows,
  );
}
