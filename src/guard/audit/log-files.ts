import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import { codeOf } from "../../model/caught.ts";
import { isSameFile, lockBriefly } from "../lock.ts";
import { type Places, readIfThere, readStored } from "../places.ts";
import { type Head, type Line, parseLine } from "./chain.ts";

/** Above this size the log continues in a new file; the old one is named after its last line. */
export const longestLogBytes = 64 * 1024 * 1024;

const numberLength = 12;

export function nameOldLog(audit: string, lastLine: number): string {
  const name = basename(audit, ".jsonl");
  return join(dirname(audit), `${name}.${String(lastLine).padStart(numberLength, "0")}.jsonl`);
}

export function listLogFiles({ audit }: Places): string[] {
  const name = basename(audit, ".jsonl");
  const isOld = new RegExp(`^${name}\\.\\d{${numberLength}}\\.jsonl$`);
  const entries = listFolder(dirname(audit));
  const old = entries.filter((entry) => isOld.test(entry)).toSorted();
  const all = entries.includes(basename(audit)) ? [...old, basename(audit)] : old;
  return all.map((entry) => join(dirname(audit), entry));
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

/** The head as written after the last line; undefined if it is missing or damaged. */
export function readHead({ head }: Places): Head | undefined {
  return readStored(storedHead, readIfThere(head));
}

const storedHead = z.object({ n: z.int().check(z.minimum(1)), hash: z.string(), bytes: z.int(), atMs: z.int() });

/** A file of the log as it was when opened: lines added later are not read. */
export interface LogFile {
  readonly path: string;
  readonly descriptor: number;
  readonly bytes: number;
}

/** Opens all files of the log under the lock, so that none is written or renamed in between. */
export function openLogFiles(places: Places): { readonly files: readonly LogFile[]; readonly head: Head | undefined } {
  const lock = existsSync(places.state) ? lockBriefly(places.lock) : undefined;
  try {
    const files = listLogFiles(places).map((path) => {
      const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      return { path, descriptor, bytes: fstatSync(descriptor).size };
    });
    return { files, head: readHead(places) };
  } finally {
    lock?.release();
  }
}

const newLine = 10;

/** The complete lines of a buffer, and what follows the last line break. */
export function cutLines(bytes: Buffer): { readonly lines: readonly Buffer[]; readonly rest: Buffer } {
  const lines: Buffer[] = [];
  let at = 0;
  for (let end = bytes.indexOf(newLine); end >= 0; at = end + 1, end = bytes.indexOf(newLine, at)) {
    lines.push(bytes.subarray(at, end));
  }
  return { lines, rest: bytes.subarray(at) };
}

interface LogLine {
  readonly bytes: Buffer;
  /** False for a last line without a line break. */
  readonly isEnded: boolean;
}

const pieceBytes = 1 << 20;

/** The lines of a file, read piecewise, since a log may be larger than memory. Closes the file at the end. */
export function* readLogLines({ descriptor, bytes: total }: LogFile): Generator<LogLine> {
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (let done = 0; done < total; ) {
      const piece = Buffer.alloc(Math.min(pieceBytes, total - done));
      const length = readSync(descriptor, piece, 0, piece.length, done);
      if (length === 0) break;
      done += length;
      const cut = cutLines(Buffer.concat([rest, piece.subarray(0, length)]));
      for (const bytes of cut.lines) yield { bytes, isEnded: true };
      rest = cut.rest;
    }
    if (rest.length > 0) yield { bytes: rest, isEnded: false };
  } finally {
    closeSync(descriptor);
  }
}

/** The valid lines of some files, oldest first. */
export function* parseLogFiles(files: readonly LogFile[]): Generator<Line> {
  for (const file of files) {
    for (const { bytes } of readLogLines(file)) {
      const line = parseLine(bytes.toString());
      if (line !== undefined) yield line;
    }
  }
}

/** The valid lines of a file, last line first, some at a time. Leaves the file open. */
export function* parseBackwards({ descriptor, bytes: total }: LogFile): Generator<readonly Line[]> {
  // The text before the first line break of a piece belongs to a line that begins in an earlier piece.
  let rest: Buffer = Buffer.alloc(0);
  for (let end = total; end > 0; ) {
    const start = Math.max(0, end - backwardPieceBytes);
    const piece = Buffer.alloc(end - start);
    readSync(descriptor, piece, 0, piece.length, start);
    const bytes = Buffer.concat([piece, rest]);
    const first = start === 0 ? 0 : bytes.indexOf(newLine) + 1;
    end = start;
    if (first === 0 && start > 0) {
      rest = bytes;
      continue;
    }
    rest = bytes.subarray(0, first);
    const texts = bytes.toString("utf8", first).split("\n");
    yield texts.flatMap((text) => parseLine(text) ?? []).reverse();
  }
}

const backwardPieceBytes = 1 << 18;

const mostBytes = 1 << 20;

/** Returns the lines that any process adds to the log from now on. It is polled and never waits. */
export class LogFollower {
  private descriptor: number | undefined;
  private at = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly places: Places) {
    this.open();
    if (this.descriptor !== undefined) this.at = fstatSync(this.descriptor).size;
  }

  take(): readonly Line[] {
    const lines: Line[] = [];
    if (this.descriptor === undefined) this.open();
    else {
      const isSame = isSameFile(this.descriptor, this.places.audit);
      lines.push(...this.read());
      if (isSame) return lines;
      this.close();
      this.open();
    }
    lines.push(...this.read());
    return lines;
  }

  close(): void {
    if (this.descriptor !== undefined) closeSync(this.descriptor);
    this.descriptor = undefined;
  }

  private open(): void {
    this.at = 0;
    this.rest = Buffer.alloc(0);
    try {
      this.descriptor = openSync(this.places.audit, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch {
      this.descriptor = undefined;
    }
  }

  private *read(): Generator<Line> {
    for (let length = mostBytes; this.descriptor !== undefined && length === mostBytes; ) {
      const { size } = fstatSync(this.descriptor);
      // After the file was cut, reading continues at its new end.
      if (size < this.at) [this.at, this.rest] = [size, Buffer.alloc(0)];
      const piece = Buffer.alloc(Math.min(mostBytes, size - this.at));
      length = piece.length === 0 ? 0 : readSync(this.descriptor, piece, 0, piece.length, this.at);
      this.at += length;
      const { lines, rest } = cutLines(Buffer.concat([this.rest, piece.subarray(0, length)]));
      yield* lines.flatMap((bytes) => parseLine(bytes.toString()) ?? []);
      this.rest = rest;
    }
  }
}
