import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const chunkBytes = 1 << 20;

/** Streams the lines of a file: an import reads all of them within one transaction. */
export function* readLines(path: string): Generator<string> {
  const descriptor = path === "-" ? 0 : openSync(path, "r");
  const decoder = new StringDecoder("utf8");
  const chunk = Buffer.alloc(chunkBytes);
  let rest = "";
  try {
    for (let size = readSome(descriptor, chunk); size > 0; size = readSome(descriptor, chunk)) {
      const lines = (rest + decoder.write(chunk.subarray(0, size))).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  } finally {
    if (path !== "-") closeSync(descriptor);
  }
}

/** A non-blocking pipe without data fails with EAGAIN. */
function readSome(descriptor: number, chunk: Buffer): number {
  while (true) {
    try {
      return readSync(descriptor, chunk);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
