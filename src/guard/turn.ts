import { ftruncateSync, writeSync } from "node:fs";
import * as z from "zod/mini";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { processes } from "../os/index.ts";
import { type Lock, tryLock, waitForLock } from "./lock.ts";
import { makeStateFolder, type Places, readIfThere, readStored } from "./places.ts";
import type { Records } from "./records.ts";
import { describeUnwritable, refuse } from "./refusals.ts";
import { forbidWhenStopped } from "./rules.ts";

/** Turns on the desktop: one client acts at a time, from its first read to its last. */
export interface Turns {
  take(holder: Holder, timeoutMs: number): Promise<Result<Turn>>;
}

export interface Turn {
  setAsking(isAsking: boolean): void;
  end(): void;
}

export interface Holder {
  readonly client: string;
  readonly tool: string;
  readonly untilMs?: number | undefined;
}

/** Uses a lock on a file, which also names the holder and its process. */
export class FileTurns implements Turns {
  constructor(private readonly places: Places) {}

  async take(holder: Holder, timeoutMs: number): Promise<Result<Turn>> {
    const taken = await this.waitForTurn(timeoutMs);
    if (!taken.ok) return taken;
    const lock = taken.value;
    const held = { ...holder, ...processes.own(), sinceMs: Date.now(), isAsking: false };
    writeHolder(lock, held);
    return succeed({
      setAsking: (isAsking) => writeHolder(lock, { ...held, isAsking }),
      end: () => {
        writeHolder(lock, undefined);
        lock.release();
      },
    });
  }

  private async waitForTurn(timeoutMs: number): Promise<Result<Lock>> {
    try {
      makeStateFolder(this.places);
      const lock = await waitForLock(this.places.turn, timeoutMs);
      return lock === undefined ? fail(describeHeld(readHolder(this.places))) : succeed(lock);
    } catch (error) {
      return fail(describeUnwritable(this.places.state, error));
    }
  }
}

const heldTurn = z.object({
  client: z.string(),
  tool: z.string(),
  untilMs: z.optional(z.number()),
  pid: z.number(),
  startTicks: z.number(),
  sinceMs: z.number(),
  isAsking: z.boolean(),
});
export type HeldTurn = z.infer<typeof heldTurn>;

/** The present holder; "free" if there is none, undefined if it has not written its name yet. */
export function findHolder(places: Places): HeldTurn | "free" | undefined {
  const lock = tryLock(places.turn);
  if (lock === undefined) return readHolder(places);
  lock.release();
  return "free";
}

/** What the holder wrote about itself: valid only while the file is locked. */
function readHolder({ turn }: Places): HeldTurn | undefined {
  return readStored(heldTurn, readIfThere(turn));
}

function writeHolder({ descriptor }: Lock, held: HeldTurn | undefined): void {
  ftruncateSync(descriptor, 0);
  if (held !== undefined) writeSync(descriptor, JSON.stringify(held));
}

function describeHeld(held: HeldTurn | undefined): Failure {
  const { how, suggestion } = describeWait(held);
  return refuse("turn", `${describeHolder(held)} ${how}`, `${suggestion}; reading is possible meanwhile.`);
}

function describeWait(held: HeldTurn | undefined): { readonly how: string; readonly suggestion: string } {
  if (held !== undefined && processes.isSuspended(held.pid)) {
    return {
      how: "has the desktop now, but its process is suspended",
      suggestion: "resume that process, or a person ends it: deskmap stop",
    };
  }
  return held?.isAsking === true
    ? { how: "waits for a person's answer, and nothing is done meanwhile", suggestion: "try again when it is there" }
    : { how: "has the desktop now", suggestion: "try again when it has finished" };
}

export function describeHolder(held: HeldTurn | undefined): string {
  if (held === undefined) return "another client";
  const until = held.untilMs === undefined ? "" : `, until ${showLocalTime(held.untilMs)} at the latest`;
  return `${JSON.stringify(held.client)} (${held.tool}, process ${held.pid}, since ${showLocalTime(held.sinceMs)}${until})`;
}

/** Refuses a helper process unless its parent, by the kernel's word, holds the turn and so has passed the guard. */
export function refuseUnlessTurnHolder(places: Places, parentPid: number): Failure | undefined {
  const holder = findHolderSafely(places);
  const isHeld = holder !== undefined && holder !== "free";
  if (isHeld && holder.pid === parentPid && processes.isAlive(holder)) return undefined;
  const message = "this is a part of deskmap clipboard, and only that may start it";
  return makeFailure("REFUSED", message, "deskmap clipboard write TEXT");
}

function findHolderSafely(places: Places): ReturnType<typeof findHolder> {
  try {
    return findHolder(places);
  } catch {
    // Without a state directory nobody has a turn.
    return undefined;
  }
}

interface Stopping {
  prepare(): Promise<Result<void>>;
  /** Called if a person stops everything while this process has the turn. */
  onStop(holder: Holder): void;
}

/** Turns that a person can take away: none is given during a stop, and the holder is told of one. */
export class StoppableTurns implements Turns {
  constructor(
    private readonly turns: Turns,
    private readonly records: Records,
    private readonly stopping: Stopping,
  ) {}

  async take(holder: Holder, timeoutMs: number): Promise<Result<Turn>> {
    const turn = await this.turns.take(holder, timeoutMs);
    if (!turn.ok) return turn;
    const { records, stopping } = this;
    const obey = (): void => {
      if (records.findStop() !== undefined) return stopping.onStop(holder);
      // Not a stop: this process ends as any other would.
      process.off("SIGTERM", obey);
      process.kill(process.pid, "SIGTERM");
    };
    process.on("SIGTERM", obey);
    const end = (): void => {
      process.off("SIGTERM", obey);
      turn.value.end();
    };
    // Checked after the turn is taken: a later stop finds this process as the holder.
    const stopped = forbidWhenStopped({ records });
    let isReady = false;
    try {
      const ready = stopped === undefined ? await stopping.prepare() : fail<void>(stopped);
      isReady = ready.ok;
      return ready.ok ? succeed({ ...turn.value, end }) : ready;
    } finally {
      if (!isReady) end();
    }
  }
}
