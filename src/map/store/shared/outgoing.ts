import type { MapFile } from "../database.ts";
import { describedColumns, queues, readState } from "./replica.ts";

/** How many marks one batch holds, with all their evidence. */
const mostMarks = 2000;

export interface Batch {
  readonly number: number;
  readonly body: string;
  /** Whether no more is waiting. */
  readonly isLast: boolean;
}

/**
 * The next batch to send. A batch whose delivery is uncertain is sent again under its number and applied once; its
 * content is read anew.
 */
export function takeBatch(file: MapFile): Batch | undefined {
  if (!isAnyQueued(file)) return undefined;
  return file.inTransaction(() => {
    const first = findUnderWay(file);
    const number = first ?? readState(file).batch + 1;
    if (first === undefined) startBatch(file, number);
    return { number, body: writeBody(file, number), isLast: !isAnyQueued(file, `batch <> ${number}`) };
  });
}

/** The first batch whose delivery is uncertain: a whole one, or a part of a refused one. */
function findUnderWay(file: MapFile): number | undefined {
  const firsts = queues.map((queue) => file.get(`SELECT min(batch) AS first FROM ${queue} WHERE batch > 0`)?.first);
  const numbers = firsts.filter((first) => first != null).map(Number);
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

export function countQueued(file: MapFile): number {
  return queues.reduce((sum, queue) => sum + Number(file.get(`SELECT count(*) AS amount FROM ${queue}`)?.amount), 0);
}

export function isAnyQueued(file: MapFile, condition = "true"): boolean {
  return queues.some((queue) => file.get(`SELECT 1 FROM ${queue} WHERE ${condition} LIMIT 1`) !== undefined);
}

/**
 * A new mark is sent with all its evidence; otherwise two desktops could not detect that they know the same control.
 */
function startBatch(file: MapFile, number: number): void {
  file.run("UPDATE shared_state SET batch = ?", number);
  const some = "SELECT mark FROM queued_marks WHERE batch = 0 ORDER BY new_at IS NULL, mark LIMIT ?";
  file.run(`UPDATE queued_marks SET batch = ? WHERE batch = 0 AND mark IN (${some})`, number, mostMarks);
  const waiting = "SELECT mark FROM queued_marks WHERE batch = 0 AND new_at IS NOT NULL";
  file.run(
    `UPDATE queued_evidence SET batch = ? WHERE batch = 0 AND (mark IS NULL OR mark NOT IN (${waiting}))`,
    number,
  );
  for (const queue of ["queued_places", "queued_windows", "queued_names", "queued_gone"]) {
    file.run(`UPDATE ${queue} SET batch = ? WHERE batch = 0`, number);
  }
}

const described = [...describedColumns, "first_seen", "last_seen", "taught"];
const queued = ["new_at", "row_at", "taught_at", "same", "moved", "hits", "misses"];

/** Includes the containers and application names of everything sent: the server may have been told to forget them. */
function writeBody(file: MapFile, batch: number): string {
  const read = (sql: string): string => String(file.get(sql, batch)?.list ?? "[]");
  const list = (fields: Readonly<Record<string, string>>): string => {
    const pairs = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
    return `json_group_array(json_object(${pairs.join(", ")})) AS list`;
  };
  const own = (columns: readonly string[], from: string): Record<string, string> => {
    return Object.fromEntries(columns.map((column) => [column, `${from}.${column}`]));
  };
  const target = {
    ...own(["mark", ...queued], "q"),
    ...own(described, "t"),
    ...{ place: "p.key", app: "p.app" },
    missing: "iif(t.last_look IS NULL, NULL, max(0, p.looks - t.last_look))",
  };
  const sent = "SELECT t.place FROM queued_marks q JOIN targets t USING (mark) WHERE q.batch = ?1";
  const places = `FROM places p LEFT JOIN queued_places q ON q.key = p.key AND q.batch = ?1
    WHERE q.key IS NOT NULL OR p.place IN (${sent})`;
  const parts = {
    gone: read(`SELECT ${list(own(["kind", "id", "at"], "q"))} FROM queued_gone q WHERE batch = ?`),
    targets: read(`SELECT ${list(target)} FROM queued_marks q JOIN targets t USING (mark) JOIN places p USING (place)
      WHERE q.batch = ?`),
    places: read(
      `SELECT ${list({ ...own(["key", "app", "windows", "path"], "p"), looks: "coalesce(q.looks, 0)" })} ${places}`,
    ),
    // Evidence of a deleted mark is deleted with it.
    evidence: read(`SELECT ${list(own(["hash", "mark", "was", "is_moved", "at"], "q"))} FROM queued_evidence q
      WHERE batch = ? AND (mark IS NOT NULL OR was NOT IN (SELECT id FROM queued_gone WHERE kind = 'm'))`),
    windows:
      read(`SELECT ${list({ ...own(["key", "looks", "layout"], "q"), ...own(["app", "name", "last_seen"], "w") })}
      FROM queued_windows q JOIN windows w USING (key) WHERE q.batch = ?`),
    names: read(`SELECT ${list(own(["app", "name"], "n"))} FROM names n WHERE app IN (SELECT p.app ${places})
      OR (app, name) IN (SELECT app, name FROM queued_names WHERE batch = ?1)`),
  };
  const body = Object.entries(parts).map(([name, value]) => `"${name}":${value}`);
  // PostgreSQL cannot store the character U+0000; SQLite can.
  return `{${body.join(",")}}`.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, "$1");
}
