import type { Activity, Begun, Moment, Witness } from "../model/activity.ts";
import type { Bounds } from "../model/bounds.ts";
import type { Effect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import { cleanText } from "../model/plain-text.ts";
import { listChanges } from "../show/effect.ts";
import { ActivityQueue } from "./activity-queue.ts";

/** An action waits no longer than this for the picture of what was there before it. */
const longestWaitMs = 80;
/** What is told of one action is for reading at a glance. */
const [mostLines, longestLine] = [12, 160];
/** Of actions that never end, as when their process is killed, no more are kept in mind. */
const mostUnderWay = 64;

export interface Photo {
  readonly jpeg: string;
  readonly width: number;
  readonly height: number;
}

/** Sees a place as it is now; the picture is made of it later. Undefined where nothing may be seen. */
export type Eye = (where: Bounds) => Promise<(() => Promise<Photo>) | undefined>;

/** One who looks on, and its own eye: each sees what it may see itself. */
interface Observer {
  readonly queue: ActivityQueue;
  readonly see: Eye;
}

interface UnderWay {
  readonly startedMs: number;
  readonly where: Bounds | undefined;
}

/** Tells those who look on what the clients of this process do. While nobody does, it costs nothing. */
export class Observers implements Witness {
  private readonly observers = new Set<Observer>();
  private readonly underWay = new Map<number, UnderWay>();

  constructor(private readonly maxWaitMs = longestWaitMs) {}

  get count(): number {
    return this.observers.size;
  }

  /** Until the signal ends it. */
  async *observe(see: Eye, signal: AbortSignal): AsyncGenerator<Activity> {
    const observer = { queue: new ActivityQueue(), see };
    this.observers.add(observer);
    try {
      yield* observer.queue.take(signal);
    } finally {
      this.observers.delete(observer);
    }
  }

  async begin(begun: Begun, where: Bounds | undefined): Promise<void> {
    if (this.observers.size === 0) return;
    this.remember(begun.n, { startedMs: performance.now(), where });
    this.tell({
      ...begun,
      words: shorten(begun.words),
      window: shorten(begun.window),
      name: begun.name && shorten(begun.name),
    });
    if (where !== undefined) await this.photograph(begun.n, where, "before", this.maxWaitMs);
  }

  end(n: number, outcome: Result<Effect>): void {
    if (this.observers.size === 0) return;
    const begun = this.underWay.get(n);
    this.underWay.delete(n);
    const tookMs = begun === undefined ? 0 : Math.round(performance.now() - begun.startedMs);
    this.tell({ kind: "ended", n, atMs: Date.now(), tookMs, ...describeOutcome(outcome) });
    const opened = outcome.ok ? outcome.value.changes.openedWindows[0]?.bounds : undefined;
    const where = begun?.where ?? opened;
    if (where !== undefined) void this.photograph(n, where, "after");
  }

  private remember(n: number, one: UnderWay): void {
    this.underWay.set(n, one);
    const [oldest] = this.underWay.keys();
    if (this.underWay.size > mostUnderWay && oldest !== undefined) this.underWay.delete(oldest);
  }

  private tell(activity: Activity): void {
    for (const { queue } of this.observers) queue.add(activity);
  }

  /** What is not seen in time is not told: it might show what came after. */
  private async photograph(n: number, where: Bounds, when: Moment, withinMs = Number.POSITIVE_INFINITY): Promise<void> {
    const late = pause(withinMs);
    let isLate = false;
    const seen = [...this.observers].map(async ({ queue, see }) => {
      const develop = await see(where).catch(() => undefined);
      if (develop === undefined || isLate) return;
      void develop().then(
        (photo) => queue.add({ kind: "crop", n, when, ...photo }),
        () => undefined,
      );
    });
    await Promise.race([Promise.all(seen), late.over]);
    isLate = true;
    late.cancel();
  }
}

function pause(ms: number): { readonly over: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
  return { over: promise, cancel: () => clearTimeout(timer) };
}

function describeOutcome(outcome: Result<Effect>) {
  if (!outcome.ok) {
    const { code, reason, message } = outcome.failure;
    return { evidence: [], changes: [], failure: { code, reason, message: shorten(message) } };
  }
  const { verdict, way, evidence, changes } = outcome.value;
  return { verdict, way: shorten(way), evidence: cut(evidence), changes: cut(listChanges(changes)) };
}

function cut(lines: readonly string[]): readonly string[] {
  const kept = lines.slice(0, mostLines).map(shorten);
  const more = lines.length - kept.length;
  return more > 0 ? [...kept, `… ${more} more`] : kept;
}

function shorten(text: string): string {
  return cleanText(text, longestLine);
}
