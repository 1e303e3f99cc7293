import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const chunkBytes = 1 << 20;

/** The lines of a file, one after the other, without holding the file: all of them are taken in within one transaction. */
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

/** A pipe that has nothing yet may say so instead of waiting. */
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
