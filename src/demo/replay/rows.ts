import { createHash, randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, writeFileSync } from "node:fs";
import { messageOf, parseJson } from "../../model/caught.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Values } from "../parameters.ts";
import { readBounded } from "../read.ts";

const [maxCsvBytes, maxLogBytes, maxRows] = [8 << 20, 64 << 20, 100_000];

/** One run of a demo: a row of a table, from 1 without its heading. */
export interface Row {
  readonly n: number;
  readonly values: Values;
  /** The same row in another call, wherever it stands in the table. */
  readonly key: string;
}

export function readRows(path: string): Result<readonly Row[]> {
  const text = readBounded(path, maxCsvBytes);
  if (!text.ok) return text;
  const records = parseCsv(text.value.replace(/^\ufeff/, ""));
  if (!records.ok) return fail(describeUsage(`${path}: ${records.failure.message}`, "a table as RFC 4180 has it."));
  const [head = [], ...body] = records.value.filter((record) => record.some((cell) => cell !== ""));
  const names = head.map((name) => name.trim());
  if (names.length === 0 || new Set(names).size !== names.length || names.includes("")) {
    return fail(describeUsage(`${path}: line 1: each column needs a name of its own`, "the names of the parameters."));
  }
  if (body.length > maxRows) return fail(describeUsage(`${path} has more than ${maxRows} rows`, "split it."));
  const met = new Map<string, number>();
  const rows: Row[] = [];
  for (const [index, record] of body.entries()) {
    if (record.length !== names.length) {
      const message = `${path}: row ${index + 1} has ${record.length} cells; there are ${names.length} columns`;
      return fail(describeUsage(message, "as many cells in each row as in the first line."));
    }
    const values = Object.fromEntries(names.map((name, column) => [name, record[column] ?? ""]));
    const hash = createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 16);
    // Two equal rows are two runs.
    const count = (met.get(hash) ?? 0) + 1;
    met.set(hash, count);
    rows.push({ n: index + 1, values, key: `${hash}-${count}` });
  }
  return succeed(rows);
}

/** RFC 4180: cells in quotes may have commas, line breaks and doubled quotes. */
export function parseCsv(text: string): Result<string[][]> {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length; ) {
    let cell = "";
    if (text[at] === '"') {
      const quoted = /"((?:[^"]|"")*)"/y;
      quoted.lastIndex = at;
      const match = quoted.exec(text);
      if (match === null) return fail(makeFailure("USAGE", `record ${records.length + 1}: a quote is not closed`));
      cell = (match[1] ?? "").replaceAll('""', '"');
      at = quoted.lastIndex;
    } else {
      const plain = /[^,\r\n]*/y;
      plain.lastIndex = at;
      cell = plain.exec(text)?.[0] ?? "";
      at = plain.lastIndex;
    }
    record.push(cell);
    if (text[at] === ",") {
      at += 1;
      if (at === text.length) record.push("");
      continue;
    }
    const end = /\r\n|\r|\n|$/y;
    end.lastIndex = at;
    if (!end.test(text)) return fail(makeFailure("USAGE", `record ${records.length + 1}: text after a closing quote`));
    at = end.lastIndex;
    records.push(record);
    record = [];
  }
  if (record.length > 0) records.push(record);
  return succeed(records);
}

interface Line {
  readonly key: string;
  readonly run: string;
  readonly state: "begun" | "done" | "stopped";
  readonly delivered?: number | undefined;
  readonly row?: number | undefined;
  readonly at?: string | undefined;
  readonly why?: string | undefined;
}

export type RowState = "new" | "done" | "uncertain";

/** Which rows were done. A row is written down before its first step, so none that may have had an effect is repeated. */
export class RowLog {
  private readonly run = randomUUID();

  constructor(readonly file: string) {}

  /** What is known of a row: a begun one without an end, or one that stopped after a step, may have had an effect. */
  stateOf({ key }: Row): Result<RowState> {
    const lines = this.read();
    if (!lines.ok) return lines;
    const own = lines.value.filter((line) => line.key === key);
    if (own.some(({ state }) => state === "done")) return succeed("done");
    const open = own.filter(({ state }) => state === "begun").length;
    const clean = own.filter(isClean).length;
    return succeed(open > clean ? "uncertain" : "new");
  }

  /** False if another call has begun this row at the same time. */
  begin(row: Row): Result<boolean> {
    const written = this.write({ key: row.key, run: this.run, state: "begun", row: row.n });
    if (!written.ok) return written;
    const lines = this.read();
    if (!lines.ok) return lines;
    const own = lines.value.filter((line) => line.key === row.key);
    const ended = new Set(own.filter(isClean).map(({ run }) => run));
    const first = own.find(({ state, run }) => state === "begun" && (run === this.run || !ended.has(run)));
    return succeed(first?.run === this.run);
  }

  end(row: Row, state: "done" | "stopped", delivered: number, why?: string): Result<void> {
    return this.write({ key: row.key, run: this.run, state, delivered, row: row.n, why });
  }

  private write(line: Line): Result<void> {
    try {
      const text = `${JSON.stringify({ ...line, at: new Date().toISOString() })}\n`;
      appendToOwn(this.file, text);
      return succeed(undefined);
    } catch (error) {
      const message = `${this.file} cannot be written: ${messageOf(error)}`;
      return fail(makeFailure("FAILED", message, "what is not written down is not done."));
    }
  }

  private read(): Result<readonly Line[]> {
    const found = lstatSync(this.file, { throwIfNoEntry: false });
    if (found === undefined) return succeed([]);
    if (!found.isFile()) return fail(describeNoLog(this.file));
    const text = readBounded(this.file, maxLogBytes);
    return text.ok ? succeed(text.value.split("\n").map(parseJson).filter(isLine)) : text;
  }
}

/** Whoever can write beside a table could else have a line written into any other file, by a link in the place of the log. */
function appendToOwn(file: string, text: string): void {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  const descriptor = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!fstatSync(descriptor).isFile()) throw new Error("it is not a regular file");
    writeFileSync(descriptor, text, { flush: true });
  } finally {
    closeSync(descriptor);
  }
}

function describeNoLog(file: string): Failure {
  const message = `${file} is a link, or not a regular file: the log of the rows is written there`;
  return describeUsage(message, "move it away, or copy the table elsewhere.");
}

/** It stopped before its first step, so another call may do the row. */
function isClean({ state, delivered }: Line): boolean {
  return state === "stopped" && delivered === 0;
}

function isLine(value: unknown): value is Line {
  return typeof value === "object" && value !== null && "key" in value && "state" in value && "run" in value;
}
