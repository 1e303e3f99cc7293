import { fstatSync, writeSync } from "node:fs";
import type { Failure } from "../model/failure.ts";
import { cleanAnswer } from "../model/plain-text.ts";
import { enclose } from "../show/envelope.ts";

/**
 * Standard output without `process.stdout`: to touch that one costs 13 of a start's 25 ms (docs/decisions.md). Bun's own
 * writer takes large answers in pieces and reports a full disk all the same.
 */
export async function print(output: string): Promise<Failure | undefined> {
  try {
    await Bun.write(Bun.stdout, `${output}\n`);
    return undefined;
  } catch (error) {
    if (codeOf(error) === "EPIPE") return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    return { code: "FAILED", message: `the output could not be written: ${reason}`, done: "it was read." };
  }
}

/** The same at once, for what cannot wait: what is left is written by the runtime where a pipe is full. */
export function printNow(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    if (codeOf(error) === "EAGAIN") process.stdout.write(bytes.subarray(written));
    else if (codeOf(error) !== "EPIPE") throw error;
  }
}

/** EPIPE: a reader that has gone away wanted no more. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** A text with words of applications in it: a person's terminal gets it as it is, every other reader between two lines. */
export function frame(text: string, descriptor: 1 | 2): string {
  return isTerminal(descriptor) ? cleanAnswer(text) : enclose(text);
}

/** The device number of memory devices: /dev/null looks like a terminal otherwise. */
const memoryDevices = 1;

/** Whether a person reads along. */
export function isTerminal(descriptor: 1 | 2 = 1): boolean {
  try {
    const { rdev, ...stat } = fstatSync(descriptor);
    const isDevice = (stat.mode & 0o170000) === 0o020000;
    return isDevice && rdev >> 8 !== memoryDevices;
  } catch {
    return false;
  }
}
