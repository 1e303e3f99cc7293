import { ftruncateSync, readFileSync, statSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { type Lock, tryLock } from "../lock.ts";
import { makeStateFolder, type Places } from "../places.ts";

/** What a person presses to stop everything. */
export const hotkeyName = "double Esc";

const readyWord = "ready";
const startTimeoutMs = 5000;
const lookAgainMs = 2;
/** Who has done nothing for so long is not listened for any more; the next action starts it again. */
const idleMs = 10 * 60_000;

/**
 * Returns when a process listens for the keys that stop everything; `start` starts one. It is called by who has the turn,
 * so that two never start one at the same time.
 */
export async function ensureHotkey(places: Places, start: () => { hasEnded(): boolean }): Promise<Result<void>> {
  const lock = tryLock(places.hotkey);
  if (lock !== undefined) {
    // What the last one wrote there is no longer true.
    ftruncateSync(lock.descriptor, 0);
    lock.release();
  }
  const child = lock === undefined ? undefined : start();
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const word = readFileSync(places.hotkey, "utf8");
    if (word === readyWord) return succeed(undefined);
    if (word !== "") return fail(describeDeaf(word));
    if (child?.hasEnded() === true) return fail(describeDeaf("the process that listens for it has ended"));
    if (performance.now() > deadline) return fail(describeDeaf("the process that listens for it does not answer"));
    await pause(lookAgainMs);
  }
}

/** The other side: the process that listens holds this as long as it does. */
export class HotkeyPost {
  private constructor(
    private readonly places: Places,
    private readonly lock: Lock,
  ) {}

  /** Undefined where another listens already. */
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

  /** Leaves when nobody has acted for long: under the turn, so that nobody who is about to act relies on it. */
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

function describeDeaf(why: string): Failure {
  return {
    code: "UNAVAILABLE",
    message: `nothing is done, since ${hotkeyName} could not stop it: ${why}`,
    suggestion:
      'a person who wants to do without it writes "hotkey": false into the policy; deskmap stop works anyway.',
    done: nothingDone,
  };
}
