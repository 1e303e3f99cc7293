import { spawn } from "node:child_process";
import { ftruncateSync, readFileSync, statSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Env } from "../../model/env.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { programs } from "../../os/index.ts";
import { type Lock, tryLock } from "../lock.ts";
import { makeStateFolder, type Places } from "../places.ts";

export const hotkeyName = "double Esc";

const readyWord = "ready";
const startTimeoutMs = 5000;
const pollMs = 2;
/** Without actions for this long, the listener ends; the next action starts it again. */
const idleMs = 10 * 60_000;

/** Waits until a process listens for the stop keys. Called by the holder of the turn, so that only one is started. */
export async function ensureHotkey(places: Places, start: () => { hasEnded(): boolean }): Promise<Result<void>> {
  const lock = tryLock(places.hotkey);
  if (lock !== undefined) {
    // What the last listener wrote is outdated.
    ftruncateSync(lock.descriptor, 0);
    lock.release();
  }
  const child = lock === undefined ? undefined : start();
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const word = readFileSync(places.hotkey, "utf8");
    if (word === readyWord) return succeed(undefined);
    if (word !== "") return fail(describeNoListener(word));
    if (child?.hasEnded() === true) return fail(describeNoListener("the process that listens for it has ended"));
    if (performance.now() > deadline)
      return fail(describeNoListener("the process that listens for it does not answer"));
    await pause(pollMs);
  }
}

/** The listener's side: held while it listens. */
export class HotkeyPost {
  private constructor(
    private readonly places: Places,
    private readonly lock: Lock,
  ) {}

  /** Undefined if another process listens already. */
  static take(places: Places): HotkeyPost | undefined {
    makeStateFolder(places);
    const lock = tryLock(places.hotkey);
    if (lock === undefined) return undefined;
    ftruncateSync(lock.descriptor, 0);
    return new HotkeyPost(places, lock);
  }

  announceReady(): void {
    writeSync(this.lock.descriptor, readyWord);
  }

  announceFailure(why: string): void {
    writeSync(this.lock.descriptor, why === "" || why === readyWord ? "it cannot be listened for" : why);
  }

  /** Ends if nobody has acted for long. It takes the turn for that, so that nobody about to act relies on it. */
  leaveIfIdle(nowMs: number): boolean {
    const turn = tryLock(this.places.turn);
    if (turn === undefined) return false;
    try {
      const isIdle = nowMs - statSync(this.places.turn).mtimeMs > idleMs;
      if (isIdle) this.leave();
      return isIdle;
    } finally {
      turn.release();
    }
  }

  leave(): void {
    ftruncateSync(this.lock.descriptor, 0);
    this.lock.release();
  }
}

function describeNoListener(why: string): Failure {
  const message = `nothing is done, because ${hotkeyName} could not stop it: ${why}`;
  const without = 'a person who wants to do without it writes "hotkey": false into the policy';
  return makeFailure("UNAVAILABLE", message, `${without}; deskmap stop works anyway.`);
}

const command = "listen-for-stop";

export function startHotkey(env: Env): { hasEnded(): boolean } {
  const [program, ...args] = programs.commandOfSelf(command);
  const child = spawn(program, args, {
    cwd: "/",
    // A session of its own, so that a signal from the terminal does not end it.
    detached: true,
    env: { ...env },
    stdio: "ignore",
  });
  let hasFailed = false;
  child.once("error", () => {
    hasFailed = true;
  });
  child.unref();
  return { hasEnded: () => hasFailed || child.exitCode !== null || child.signalCode !== null };
}
