import { fstatSync } from "node:fs";
import type { Failure } from "../model/failure.ts";

/**
 * Standard output without `process.stdout`: to touch that one costs 13 of a start's 25 ms (docs/decisions.md). Bun's own
 * writer takes large answers in pieces and reports a full disk all the same.
 */
export async function print(output: string): Promise<Failure | undefined> {
  try {
    await Bun.write(Bun.stdout, `${output}\n`);
    return undefined;
  } catch (error) {
    // A reader that has gone away wanted no more.
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    return { code: "FAILED", message: `the output could not be written: ${reason}`, done: "it was read." };
  }
}

/** The device number of memory devices: /dev/null looks like a terminal otherwise. */
const memoryDevices = 1;

/** Whether a person reads along. */
export function isTerminal(): boolean {
  try {
    const { rdev, ...stat } = fstatSync(1);
    const isDevice = (stat.mode & 0o170000) === 0o020000;
    return isDevice && rdev >> 8 !== memoryDevices;
  } catch {
    return false;
  }
}
