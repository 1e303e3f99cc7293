import { closeSync, readSync } from "node:fs";
import type { Places } from "../places.ts";
import { type Line, parseLine } from "./chain.ts";
import { type LogFile, openLogFiles } from "./lines.ts";
import { finish, fits, type Happening, toHappening, type Wanted } from "./read.ts";

const pieceBytes = 1 << 18;
const newLine = 10;

export interface LastHappenings {
  /** Newest first. */
  readonly happenings: readonly Happening[];
  readonly hasOlder: boolean;
}

/**
 * The last so many of what happened, read from the end: a long log is not read through for them. After each piece others
 * have their turn.
 */
export async function readLastHappenings(
  places: Places,
  wanted: Wanted & { readonly last: number },
): Promise<LastHappenings> {
  const found: Happening[] = [];
  const ends = new Map<number, Line>();
  const { files } = openLogFiles(places);
  try {
    for (const file of files.toReversed()) {
      for (const lines of readBack(file)) {
        for (const line of lines) {
          // An end is met before its beginning.
          if (line.what === "end") ends.set(line.begin ?? 0, line);
          else take(line);
          if (found.length > wanted.last) return { happenings: found.slice(0, wanted.last), hasOlder: true };
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    return { happenings: found, hasOlder: false };
  } finally {
    for (const { descriptor } of files) closeSync(descriptor);
  }

  function take(line: Line): void {
    const end = line.what === "begin" ? ends.get(line.n) : undefined;
    if (end !== undefined) ends.delete(line.n);
    const happening = end === undefined ? toHappening(line) : finish(toHappening(line), end);
    if (fits(happening, wanted)) found.push(happening);
  }
}

/** The lines of a file, the last first, some at a time. */
function* readBack({ descriptor, bytes: total }: LogFile): Generator<readonly Line[]> {
  // What stands before the first line break of a piece ends in the piece before it.
  let rest = Buffer.alloc(0);
  for (let end = total; end > 0; ) {
    const start = Math.max(0, end - pieceBytes);
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
    yield bytes
      .toString("utf8", first)
      .split("\n")
      .flatMap((text) => parseLine(text) ?? [])
      .reverse();
  }
}
