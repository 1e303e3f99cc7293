import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import type { Records } from "../records.ts";
import type { Entry } from "./chain.ts";

/** The longest that a look which repeats another may be missing from the log. */
const everyMs = 10_000;

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
 * those that only repeat it as one line every ten seconds, with their number. A line for each would cost more than the look.
 */
export class LookTally {
  private readonly tallies = new Map<string, Tally>();
  /** Why the last of them could not be written: nobody looks at anything until that can be done. */
  private trouble: Failure | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  write(records: Pick<Records, "write">, entry: Entry): Result<void> {
    if (this.trouble !== undefined) this.flush(true);
    if (this.trouble !== undefined) return fail(this.trouble);
    const nowMs = this.now();
    const key = JSON.stringify([entry.client, entry.tool, entry.way, entry.apps]);
    const known = this.tallies.get(key);
    if (known !== undefined && !isDue(known, nowMs)) {
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
    this.flushLater();
    return succeed(undefined);
  }

  /** Writes down what is due; with `isEnd` all of it, when nobody will look any more. It is due by itself every ten seconds. */
  flush(isEnd = false): void {
    const nowMs = this.now();
    this.trouble = undefined;
    for (const [key, tally] of this.tallies) {
      if (!isEnd && !isDue(tally, nowMs)) continue;
      const told = tell(tally, nowMs);
      if (told.ok) this.tallies.delete(key);
      else this.trouble = told.failure;
    }
  }

  private flushLater(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.flush();
      if (this.tallies.size > 0) this.flushLater();
    }, everyMs);
    this.timer.unref();
  }
}

/** Also where the clock was set back. */
function isDue({ writtenAtMs }: Tally, nowMs: number): boolean {
  return nowMs - writtenAtMs >= everyMs || nowMs < writtenAtMs;
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
