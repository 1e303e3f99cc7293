import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import type { Places } from "../places.ts";
import { type Line, parseLine } from "./chain.ts";

const newLine = 10;
/** More than this at once is taken in pieces. */
const mostBytes = 1 << 20;

/** Tells what is added to the log, by whatever process, from now on: it is asked now and then, and waits for nothing. */
export class LogFollower {
  private descriptor: number | undefined;
  private at = 0;
  private rest = Buffer.alloc(0);

  constructor(private readonly places: Places) {
    this.open();
    if (this.descriptor !== undefined) this.at = fstatSync(this.descriptor).size;
  }

  /** What was added since it was asked last. A full log goes on in a new file: what is left of the old one comes first. */
  take(): readonly Line[] {
    const lines: Line[] = [];
    if (this.descriptor === undefined) this.open();
    else {
      const isSame = this.isSameFile();
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

  private isSameFile(): boolean {
    if (this.descriptor === undefined) return false;
    const [own, there] = [fstatSync(this.descriptor), statSync(this.places.audit, { throwIfNoEntry: false })];
    return own.ino === there?.ino && own.dev === there.dev;
  }

  private *read(): Generator<Line> {
    for (let length = mostBytes; this.descriptor !== undefined && length === mostBytes; ) {
      const { size } = fstatSync(this.descriptor);
      // A log that was cut off is read from its new end on.
      if (size < this.at) [this.at, this.rest] = [size, Buffer.alloc(0)];
      const piece = Buffer.alloc(Math.min(mostBytes, size - this.at));
      length = piece.length === 0 ? 0 : readSync(this.descriptor, piece, 0, piece.length, this.at);
      this.at += length;
      const bytes = Buffer.concat([this.rest, piece.subarray(0, length)]);
      let from = 0;
      for (let end = bytes.indexOf(newLine); end >= 0; from = end + 1, end = bytes.indexOf(newLine, from)) {
        const line = parseLine(bytes.toString("utf8", from, end));
        if (line !== undefined) yield line;
      }
      this.rest = Buffer.from(bytes.subarray(from));
    }
  }
}
