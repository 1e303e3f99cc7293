import { fstatSync, writeSync } from "node:fs";
import { codeOf, messageOf } from "../model/caught.ts";
import type { Failure } from "../model/failure.ts";
import { cleanAnswer } from "../model/plain-text.ts";
import { enclose } from "../show/envelope.ts";

/** The first use of `process.stdout` costs 13 ms of a start (docs/decisions.md). */
export async function print(output: string): Promise<Failure | undefined> {
  try {
    await Bun.write(Bun.stdout, `${output}\n`);
    return undefined;
  } catch (error) {
    if (codeOf(error) === "EPIPE") return undefined;
    return { code: "FAILED", message: `the output could not be written: ${messageOf(error)}`, done: "it was read." };
  }
}

/** Writes synchronously. If a pipe is full, the runtime writes the rest. */
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

/** Encloses a text that quotes applications, unless a terminal shows it. */
export function frame(text: string, descriptor: 1 | 2): string {
  return isTerminal(descriptor) ? cleanAnswer(text) : enclose(text);
}

/** The major number of memory devices such as /dev/null, which are character devices like terminals. */
const memoryDevices = 1;

export function isTerminal(descriptor: 1 | 2 = 1): boolean {
  try {
    const { rdev, ...stat } = fstatSync(descriptor);
    const isDevice = (stat.mode & 0o170000) === 0o020000;
    return isDevice && rdev >> 8 !== memoryDevices;
  } catch {
    return false;
  }
}
