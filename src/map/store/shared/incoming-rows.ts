import type { MapFile } from "../database.ts";
import { describedColumns } from "./columns.ts";

const counted = ["same", "moved", "hits", "misses"];
export const sharedColumns: readonly string[] = [
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

export function takeTargets(file: MapFile, targets: string): void {
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
export function takePlaces(file: MapFile, places: string): void {
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

export function takeEvidence(file: MapFile, evidence: string): void {
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

export function takeWindows(file: MapFile, windows: string): void {
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
