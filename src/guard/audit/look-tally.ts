import { type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import type { Records } from "../records.ts";
import type { Entry } from "./chain.ts";

/** The longest that a look which repeats another may be missing from the log. */
const everyMs = 60_000;

interface Tally {
  readonly entry: Entry;
  readonly records: Pick<Records, "write">;
  writtenAtMs: number;
  lastAtMs: number;
  /** Looks that are in no line yet. */
  unwritten: number;
}

/**
 * Writes looks down for a process that answers many of them in a second: the first of a client at an application at once,
 * those that only repeat it as one line a minute, with their number. A line for each would cost more than the look.
 */
export class LookTally {
  private readonly tallies = new Map<string, Tally>();

  constructor(private readonly now: () => number = Date.now) {}

  write(records: Pick<Records, "write">, entry: Entry): Result<void> {
    const nowMs = this.now();
    const key = JSON.stringify([entry.client, entry.tool, entry.way, entry.apps]);
    const known = this.tallies.get(key);
    if (known !== undefined && nowMs - known.writtenAtMs < everyMs && nowMs >= known.writtenAtMs) {
      known.unwritten += 1;
      known.lastAtMs = nowMs;
      return succeed(undefined);
    }
    if (known !== undefined) {
      const told = tell(known, nowMs);
      if (!told.ok) return told;
    }
    const written = records.write(entry);
    if (!written.ok) return written;
    this.tallies.set(key, { entry, records, writtenAtMs: nowMs, lastAtMs: nowMs, unwritten: 0 });
    return succeed(undefined);
  }

  /** Writes down what is due; to be called every few seconds, and with `isEnd` when nobody will look any more. */
  flush(isEnd = false): void {
    const nowMs = this.now();
    for (const [key, tally] of this.tallies) {
      if (!isEnd && nowMs - tally.writtenAtMs < everyMs) continue;
      // What could not be written stays: whoever looks next is told.
      if (tell(tally, nowMs).ok) this.tallies.delete(key);
    }
  }
}

function tell(tally: Tally, nowMs: number): Result<void> {
  const { entry, records, unwritten, lastAtMs } = tally;
  if (unwritten === 0) return succeed(undefined);
  const count = `${unwritten} more ${unwritten === 1 ? "look" : "looks"} until ${showLocalTime(lastAtMs)}`;
  const written = records.write({ ...entry, words: count });
  if (!written.ok) return written;
  tally.unwritten = 0;
  tally.writtenAtMs = nowMs;
  return succeed(undefined);
}
