import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { lockBriefly } from "../lock.ts";
import type { Places } from "../places.ts";
import type { Head } from "./chain.ts";
import { listLogFiles, readHead } from "./files.ts";

const lockTimeoutMs = 5000;

const pieceBytes = 1 << 20;
const newLine = 10;

export interface LogLine {
  readonly bytes: Buffer;
  /** False of a last line that has no end. */
  readonly isEnded: boolean;
}

/** A file of the log as it is at this moment: what is added to it later is not read. */
export interface LogFile {
  readonly path: string;
  readonly descriptor: number;
  readonly bytes: number;
}

/** Opens every file of the log at once, so that nothing is written to them, and none is renamed, in between. */
export function openLogFiles(places: Places): { readonly files: readonly LogFile[]; readonly head: Head | undefined } {
  const lock = existsSync(places.state) ? lockBriefly(places.lock, lockTimeoutMs) : undefined;
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

/** The lines of a file, a piece of it at a time: a log may be larger than memory. The file is closed after the last. */
export function* readLogLines({ descriptor, bytes: total }: LogFile): Generator<LogLine> {
  try {
    let rest = Buffer.alloc(0);
    for (let done = 0; done < total; ) {
      const piece = Buffer.alloc(Math.min(pieceBytes, total - done));
      const length = readSync(descriptor, piece, 0, piece.length, done);
      if (length === 0) break;
      done += length;
      const bytes = rest.length === 0 ? piece.subarray(0, length) : Buffer.concat([rest, piece.subarray(0, length)]);
      let at = 0;
      for (let end = bytes.indexOf(newLine); end >= 0; at = end + 1, end = bytes.indexOf(newLine, at)) {
        yield { bytes: bytes.subarray(at, end), isEnded: true };
      }
      rest = bytes.subarray(at);
    }
    if (rest.length > 0) yield { bytes: rest, isEnded: false };
  } finally {
    closeSync(descriptor);
  }
}
