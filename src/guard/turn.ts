import { ftruncateSync, readFileSync, writeSync } from "node:fs";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { type Lock, waitForLock } from "./lock.ts";
import { makeStateFolder, type Places } from "./places.ts";

/** Whose turn it is on the desktop: one client acts at a time, from its first look to its last. */
export interface Turns {
  take(holder: Holder, timeoutMs: number): Promise<Result<Turn>>;
}

export interface Turn {
  /** Says whether a person is being asked: nobody acts meanwhile, and the others are told why. */
  tellAsking(isAsking: boolean): void;
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
    const held = { ...holder, pid: process.pid, sinceMs: Date.now(), isAsking: false };
    note(lock, held);
    return succeed({
      tellAsking: (isAsking) => note(lock, { ...held, isAsking }),
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
  readonly isAsking: boolean;
}

export function readHolder({ turn }: Places): HeldTurn | undefined {
  try {
    const { client, tool, pid, sinceMs, isAsking } = JSON.parse(readFileSync(turn, "utf8"));
    return {
      client: String(client),
      tool: String(tool),
      pid: Number(pid),
      sinceMs: Number(sinceMs),
      isAsking: isAsking === true,
    };
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
  const isAsking = held?.isAsking === true;
  return {
    code: "REFUSED",
    reason: "turn",
    message: isAsking
      ? `${who} waits for a person's answer, and nothing is done meanwhile`
      : `${who} has the desktop now`,
    suggestion: `try again when ${isAsking ? "the person has answered" : "it has finished"}; reading is possible meanwhile.`,
    done: nothingDone,
  };
}
