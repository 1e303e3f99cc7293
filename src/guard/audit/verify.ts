import { statSync } from "node:fs";
import { basename } from "node:path";
import { readLogKey } from "../keys.ts";
import type { Places } from "../places.ts";
import { emptyHead, type Head, isUnchanged, type Line, parseLine } from "./chain.ts";
import { type LogFile, openLogFiles, readLogLines } from "./log-files.ts";

/** A place where the log was changed. */
interface Finding {
  readonly file: string;
  /** Counted from 1 in its file; 0 for the file itself. */
  readonly line: number;
  readonly text: string;
}

export interface Verification {
  readonly lines: number;
  readonly findings: readonly Finding[];
  readonly findingCount: number;
  /** Observations that prove nothing. */
  readonly notes: readonly string[];
}

/** Findings listed at most; all are counted. */
const mostFindings = 100;
const writingMs = 5000;

/** Checks that every line of the log is there, in order and unchanged. */
export function verifyLog(places: Places): Verification {
  const steps = examine(places);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

/** The same in pieces, so that other work can go on; undefined if aborted. */
export async function verifyLogInPieces(
  places: Places,
  onProgress: (progress: Progress) => void,
  signal?: AbortSignal,
): Promise<Verification | undefined> {
  const steps = examine(places);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    onProgress(step.value);
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted === true) {
      steps.return({ lines: 0, findings: [], findingCount: 0, notes: [] });
      return undefined;
    }
  }
}

const pieceLines = 500;

function* examine(places: Places): Generator<Progress, Verification> {
  const { files, head } = openLogFiles(places);
  const key = readKeySafely(places);
  const check = new Check();
  if (files.length === 0) {
    if (head !== undefined || key !== undefined) check.find(places.audit, 0, "the log is missing");
    return check.conclude();
  }
  if (key === undefined) {
    check.find(places.key, 0, "the key is missing or damaged: no line can be verified");
    return check.conclude();
  }
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const file of files) {
    const { path } = file;
    const isLast = file === files.at(-1);
    let line = 0;
    for (const { bytes, isEnded } of readLogLines(file)) {
      line += 1;
      done += bytes.length + 1;
      if (line % pieceLines === 0) yield { done: Math.min(done, total), total };
      if (isEnded) check.follow(path, line, bytes, key);
      else check.followPiece(path, line, bytes, isLast);
    }
  }
  compareWithHead(check, places, files.at(-1), head);
  return check.conclude();
}

function compareWithHead(check: Check, places: Places, file: LogFile | undefined, head: Head | undefined): void {
  const { last } = check;
  if (file === undefined) return;
  if (head === undefined) {
    // A process may have been killed between the very first line and its head.
    if (last.n === 1) return check.note("the note of the last line has not been written");
    const missing = "the note of the last line is missing or damaged: lines may be missing at the end";
    return check.find(places.head, 0, missing);
  }
  if (head.n > last.n) return check.find(file.path, 0, describeGap(last.n + 1, head.n, "at the end"));
  if (head.n === last.n - 1 && head.hash === check.lastButOne.hash) {
    return check.note("the last line is newer than its note: a process ended between the two");
  }
  if (head.n < last.n) return check.find(places.head, 0, `the note says ${head.n} lines, and there are ${last.n}`);
  if (head.hash !== last.hash) return check.find(places.head, 0, "the note belongs to another last line");
  const { ctimeMs } = statSync(file.path);
  if (ctimeMs > Date.parse(check.lastAt) + writingMs)
    check.note(describeTouch(last.n, new Date(ctimeMs).toISOString()));
}

class Check {
  last: { readonly n: number; readonly hash: string } = emptyHead;
  lastButOne: { readonly n: number; readonly hash: string } = emptyHead;
  lastAt = "";
  private lines = 0;
  private count = 0;
  private readonly findings: Finding[] = [];
  private readonly notes: string[] = [];

  find(file: string, line: number, text: string): void {
    this.count += 1;
    if (this.findings.length < mostFindings) this.findings.push({ file: basename(file), line, text });
  }

  note(text: string): void {
    this.notes.push(text);
  }

  follow(file: string, at: number, bytes: Buffer, key: Uint8Array): void {
    this.lines += 1;
    const line = parseLine(bytes.toString());
    if (line === undefined) return this.find(file, at, "this is no line of the log");
    if (!isUnchanged(key, bytes)) this.find(file, at, `line ${line.n} is not as it was written`);
    else this.compareWithLast(file, at, line);
    // The next line is compared with this one, so that one change is reported once.
    this.lastButOne = this.last;
    this.last = { n: line.n, hash: line.hash };
    this.lastAt = line.at;
  }

  /** A process that was killed while writing leaves the beginning of the next line; anything else is a change. */
  followPiece(file: string, at: number, bytes: Buffer, isLast: boolean): void {
    const beginning = `{"n":${this.last.n + 1},"at":"`;
    const piece = bytes.toString("latin1", 0, beginning.length);
    if (isLast && beginning.startsWith(piece)) this.note("the log ends in a piece of a line that was never finished");
    else this.find(file, at, "this is no line of the log, or one that was cut off");
  }

  conclude(): Verification {
    return { lines: this.lines, findings: this.findings, findingCount: this.count, notes: this.notes };
  }

  private compareWithLast(file: string, at: number, line: Line): void {
    const { n, hash } = this.last;
    if (line.doubt === "headless") this.find(file, at, `before line ${line.n} the note of the last line was missing`);
    if (line.doubt === "touched") this.note(describeTouch(line.n - 1, `before ${line.at}`));
    if (line.n > n + 1) return this.find(file, at, describeGap(n + 1, line.n - 1, `before line ${line.n}`));
    if (line.n <= n) return this.find(file, at, `line ${line.n} comes after line ${n}`);
    if (line.prev !== hash) this.find(file, at, `line ${line.n} does not follow the line before it`);
  }
}

function describeGap(from: number, to: number, where: string): string {
  return from === to ? `line ${from} is missing ${where}` : `lines ${from} to ${to} are missing ${where}`;
}

function describeTouch(line: number, when: string): string {
  return (
    `something else changed the file after line ${line} (${when}): it may have been set back to there; ` +
    "a copy, a backup or a change of its rights looks the same"
  );
}

function readKeySafely(places: Places): Uint8Array | undefined {
  try {
    return readLogKey(places);
  } catch {
    return undefined;
  }
}
