import { ftruncateSync, readFileSync, writeSync } from "node:fs";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { type Lock, waitForLock } from "./lock.ts";
import { makeStateFolder, type Places } from "./places.ts";

/** Whose turn it is on the desktop: one client acts at a time, from its first look to its last. */
export interface Turns {
  take(holder: Holder, timeoutMs: number): Promise<Result<Turn>>;
}

export interface Turn {
  end(): void;
}

export interface Holder {
  readonly client: string;
  readonly tool: string;
}

/** By a lock on a file, which also says who holds it and as which process. */
export class FileTurns implements Turns {
  constructor(private readonly places: Places) {}

  async take(holder: Holder, timeoutMs: number): Promise<Result<Turn>> {
    makeStateFolder(this.places);
    const lock = await waitForLock(this.places.turn, timeoutMs);
    if (lock === undefined) return fail(describeHeld(readHolder(this.places)));
    note(lock, { ...holder, pid: process.pid, sinceMs: Date.now() });
    return succeed({
      end: () => {
        note(lock, undefined);
        lock.release();
      },
    });
  }
}

/** Who holds the turn, as it says itself; true only while the file is locked. */
export interface HeldTurn extends Holder {
  readonly pid: number;
  readonly sinceMs: number;
}

export function readHolder({ turn }: Places): HeldTurn | undefined {
  try {
    const { client, tool, pid, sinceMs } = JSON.parse(readFileSync(turn, "utf8"));
    return { client: String(client), tool: String(tool), pid: Number(pid), sinceMs: Number(sinceMs) };
  } catch {
    return undefined;
  }
}

function note({ descriptor }: Lock, held: HeldTurn | undefined): void {
  ftruncateSync(descriptor, 0);
  if (held !== undefined) writeSync(descriptor, JSON.stringify(held));
}

function describeHeld(held: HeldTurn | undefined): Failure {
  const who =
    held === undefined ? "another client" : `${JSON.stringify(held.client)} (${held.tool}, process ${held.pid})`;
  return {
    code: "REFUSED",
    reason: "turn",
    message: `${who} has the desktop now`,
    suggestion: "try again when it has finished; reading is possible meanwhile.",
    done: nothingDone,
  };
}
