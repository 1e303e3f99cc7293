import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { isSameFile } from "../lock.ts";
import type { Places } from "../places.ts";
import { type Line, parseLine } from "./chain.ts";
import { cutLines } from "./log-files.ts";

/** Bytes read at a time. */
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

  /** The lines added since the last call. If the log continues in a new file, the rest of the old one comes first. */
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
