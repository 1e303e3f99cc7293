import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import type { Window } from "../../model/window.ts";
import type { Client } from "../gate.ts";
import { namesOf } from "../policy/policy.ts";
import type { Records } from "../records.ts";
import type { Entry } from "./chain.ts";

type Kind = "tree" | "text" | "picture" | "windows";
interface Log extends Pick<Records, "write"> {
  readonly client?: Client | undefined;
}

export class Looks {
  private readonly apps = new Map<Kind, Map<string, readonly string[]>>();

  /** `onTaken` gets the applications of every answer, each with all its names. */
  constructor(private readonly onTaken: (apps: readonly (readonly string[])[]) => void = () => undefined) {}

  add(kind: Kind, windows: readonly Window[]): void {
    const known = this.apps.get(kind) ?? new Map<string, readonly string[]>();
    for (const window of windows) known.set(window.app, namesOf(window));
    this.apps.set(kind, known);
  }

  /** The kinds of looks, and the applications. The list of windows counts only if nothing more was looked at. */
  take(): { readonly kinds: readonly Kind[]; readonly apps: readonly string[] } {
    const all = [...this.apps];
    this.apps.clear();
    const deeper = all.filter(([kind]) => kind !== "windows");
    const told = deeper.length > 0 ? deeper : all;
    const apps = new Map(told.flatMap(([, one]) => [...one]));
    this.onTaken([...apps.values()]);
    return { kinds: told.map(([kind]) => kind), apps: [...apps.keys()] };
  }
}

export class LookLog {
  constructor(
    private readonly looks: Looks,
    private readonly log: Log,
    private readonly client: Client,
    private readonly tally: LookTally | undefined,
  ) {}

  /** After a stop this fails, so that what was read is not returned. */
  write(tool: string, findStop: () => Failure | undefined): Result<unknown> {
    const { kinds, apps } = this.looks.take();
    if (kinds.length === 0) return succeed(undefined);
    const stopped = findStop();
    if (stopped !== undefined) return fail(stopped);
    const look = { what: "look", client: this.client.name, tool, apps, way: kinds.join(" ") } as const;
    return this.tally === undefined ? this.log.write(look) : this.tally.write(this.log, look);
  }

  writeLasting(tool: string, apps: readonly string[], words: string): Result<unknown> {
    const { kinds } = this.looks.take();
    const way = kinds.length === 0 ? "tree" : kinds.join(" ");
    return this.log.write({ what: "look", client: this.client.name, tool, apps, way, words });
  }
}

/** A repeated look is logged at the latest after this time. */
const everyMs = 10_000;

interface Tally {
  readonly entry: Entry;
  readonly log: Log;
  writtenAtMs: number;
  lastAtMs: number;
  /** Looks that no line counts yet. */
  unwritten: number;
}

/**
 * Logs looks for a process that answers many per second. A client's first look at an application is logged at once;
 * repetitions are counted and logged as one line every ten seconds, since a line for each would cost more than the look.
 */
export class LookTally {
  private readonly tallies = new Map<string, Tally>();
  /** Why the last line could not be written; until it can, every look fails. */
  private trouble: Failure | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly now: () => number = Date.now) {}

  write(log: Log, entry: Entry): Result<unknown> {
    if (this.trouble !== undefined) this.flush(true);
    if (this.trouble !== undefined) return fail(this.trouble);
    const nowMs = this.now();
    const key = JSON.stringify([entry.client, log.client?.process, entry.tool, entry.way, entry.apps]);
    const known = this.tallies.get(key);
    if (known !== undefined && !isDue(known, nowMs)) {
      known.unwritten += 1;
      known.lastAtMs = nowMs;
      return succeed(undefined);
    }
    const counted = known === undefined ? succeed(undefined) : writeCount(known, nowMs);
    if (!counted.ok) return counted;
    const written = log.write(entry);
    if (!written.ok) return written;
    this.tallies.set(key, { entry, log, writtenAtMs: nowMs, lastAtMs: nowMs, unwritten: 0 });
    this.flushLater();
    return written;
  }

  /** Writes the counts that are due; with `isEnd`, all of them. A timer calls it every ten seconds. */
  flush(isEnd = false): void {
    const nowMs = this.now();
    this.trouble = undefined;
    for (const [key, tally] of this.tallies) {
      if (!isEnd && !isDue(tally, nowMs)) continue;
      const written = writeCount(tally, nowMs);
      if (written.ok) this.tallies.delete(key);
      else this.trouble = written.failure;
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

/** Also true after the clock was set back. */
function isDue({ writtenAtMs }: Tally, nowMs: number): boolean {
  return nowMs - writtenAtMs >= everyMs || nowMs < writtenAtMs;
}

function writeCount(tally: Tally, nowMs: number): Result<unknown> {
  const { entry, log, unwritten, lastAtMs } = tally;
  if (unwritten === 0) return succeed(undefined);
  const count = `${unwritten} more ${unwritten === 1 ? "look" : "looks"} until ${showLocalTime(lastAtMs)}`;
  const written = log.write({ ...entry, words: count });
  if (!written.ok) return written;
  tally.unwritten = 0;
  tally.writtenAtMs = nowMs;
  return written;
}
