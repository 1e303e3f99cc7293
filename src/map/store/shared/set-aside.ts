import { hashText } from "../../../model/hash.ts";
import type { MapFile } from "../database.ts";
import { readState } from "./replica.ts";

/** Rows that the server rejects permanently, of one kind and reason. Contains only numbers and hashes. */
export interface SetAside {
  readonly kind: Kind;
  /** PostgreSQL's SQLSTATE. */
  readonly code: string;
  readonly count: number;
}

type Kind = "control" | "container" | "window" | "name" | "forgotten";

/** The smallest unit that can be sent: a control with all its evidence. */
interface Unit {
  readonly kind: Kind;
  readonly id: string;
  readonly rows: readonly { readonly queue: string; readonly where: string; readonly values: readonly string[] }[];
}

/** Splits a batch in two; the second half gets its own number. Returns false if there is only one unit. */
export function splitBatch(file: MapFile, batch: number): boolean {
  return file.inTransaction(() => {
    const units = listUnits(file, batch);
    if (units.length < 2) return false;
    const next = readState(file).batch + 1;
    file.run("UPDATE shared_state SET batch = ?", next);
    for (const { rows } of units.slice(Math.ceil(units.length / 2))) {
      for (const { queue, where, values } of rows) {
        file.run(`UPDATE ${queue} SET batch = ? WHERE batch = ? AND ${where}`, next, batch, ...values);
      }
    }
    return true;
  });
}

/** Removes a permanently rejected batch from the queue. The local map keeps the data. */
export function setAside(file: MapFile, batch: number, code: string): void {
  const note = `INSERT INTO shared_aside (kind, id, code, at) VALUES (?, CAST(? AS INTEGER), ?, unixepoch())
    ON CONFLICT (kind, id) DO UPDATE SET code = excluded.code, at = excluded.at`;
  file.inTransaction(() => {
    for (const { kind, id, rows } of listUnits(file, batch)) {
      file.run(note, kind, id, code);
      for (const { queue, where, values } of rows) {
        file.run(`DELETE FROM ${queue} WHERE batch = ? AND ${where}`, batch, ...values);
      }
    }
  });
}

/** Clears rows that changed and were accepted since. Must run before they leave the queue. */
export function clearTaken(file: MapFile, applied: number): void {
  if (file.get("SELECT 1 FROM shared_aside LIMIT 1") === undefined) return;
  const taken = [
    ["control", "SELECT mark FROM queued_marks"],
    ["container", "SELECT key FROM queued_places"],
    ["window", "SELECT key FROM queued_windows"],
  ] as const;
  for (const [kind, queue] of taken) {
    const ids = `${queue} WHERE batch > 0 AND batch <= ?`;
    file.run(`DELETE FROM shared_aside WHERE kind = '${kind}' AND id IN (${ids})`, applied);
  }
}

/** Empty if the map is not shared. */
export function readAside(file: MapFile): readonly SetAside[] {
  if (file.get("SELECT 1 FROM sqlite_master WHERE name = 'shared_aside'") === undefined) return [];
  // Forgotten controls are not reported.
  const isThere = "kind <> 'control' OR id IN (SELECT mark FROM targets)";
  const find = `SELECT kind, code, count(*) AS amount FROM shared_aside WHERE ${isThere} GROUP BY kind, code ORDER BY 3 DESC`;
  return file.all(find).map(({ kind, code, amount }) => {
    const known = kinds.find((one) => one === kind) ?? "control";
    return { kind: known, code: String(code), count: Number(amount) };
  });
}

const kinds: readonly Kind[] = ["control", "container", "window", "name", "forgotten"];

/** Deletions first, since later rows may replace what they delete. */
function listUnits(file: MapFile, batch: number): Unit[] {
  const ids = (sql: string): string[] => file.all(sql, batch).map(({ id }) => String(id));
  const number = "CAST(? AS INTEGER)";
  const one = (kind: Kind, queue: string, column: string): Unit[] =>
    ids(`SELECT CAST(${column} AS TEXT) AS id FROM ${queue} WHERE batch = ?`).map((id) => {
      return { kind, id, rows: [{ queue, where: `${column} = ${number}`, values: [id] }] };
    });
  const marks = `SELECT CAST(mark AS TEXT) AS id FROM queued_marks WHERE batch = ?1
    UNION SELECT CAST(coalesce(mark, was) AS TEXT) FROM queued_evidence WHERE batch = ?1`;
  const controls = ids(marks).map((id): Unit => {
    const own = { queue: "queued_marks", where: `mark = ${number}`, values: [id] };
    const evidence = { queue: "queued_evidence", where: `coalesce(mark, was) = ${number}`, values: [id] };
    return { kind: "control", id, rows: [own, evidence] };
  });
  const names = file.all("SELECT app, name FROM queued_names WHERE batch = ?", batch).map(({ app, name }): Unit => {
    const values = [String(app), String(name)];
    const id = hashText(values.join("\u0004"));
    return { kind: "name", id, rows: [{ queue: "queued_names", where: "app = ? AND name = ?", values }] };
  });
  return [
    ...one("forgotten", "queued_gone", "id"),
    ...one("container", "queued_places", "key"),
    ...one("window", "queued_windows", "key"),
    ...names,
    ...controls,
  ];
}
