import type { Activity, Begun, Ended, Moment, Witness } from "../model/activity.ts";
import type { Bounds } from "../model/bounds.ts";
import type { Effect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import { describeEnded, shortenBegun } from "../show/activity.ts";
import { ActivityQueue } from "./activity-queue.ts";

/**
 * An action waits no longer than this for the picture of what was there before it. It takes some 15 ms, and 70 where a secret
 * is to be covered; several times as long on a busy machine.
 */
const longestWaitMs = 250;
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

  /** `onCount` is told how many look on, whenever that is different. */
  constructor(
    private readonly maxWaitMs = longestWaitMs,
    private readonly onCount: (count: number) => void = () => undefined,
  ) {}

  get count(): number {
    return this.observers.size;
  }

  /** Until the signal ends it. */
  async *observe(see: Eye, signal: AbortSignal): AsyncGenerator<Activity> {
    const observer = { queue: new ActivityQueue(), see };
    this.observers.add(observer);
    this.onCount(this.count);
    try {
      yield* observer.queue.take(signal);
    } finally {
      this.observers.delete(observer);
      this.onCount(this.count);
    }
  }

  async begin(begun: Begun, where: Bounds | undefined): Promise<void> {
    if (this.observers.size === 0) return;
    this.remember(begun.n, { startedMs: performance.now(), where });
    this.tell(shortenBegun(begun));
    if (where !== undefined) await this.photograph(begun.n, where, "before", this.maxWaitMs);
  }

  end(n: number, outcome: Result<Effect>): void {
    if (this.observers.size === 0) return;
    const opened = outcome.ok ? outcome.value.changes.openedWindows[0]?.bounds : undefined;
    this.finish(describeEnded(n, outcome), opened);
  }

  /** The same, for an action that another process has done. `opened` is where to look where nothing was before. */
  finish(ended: Ended, opened: Bounds | undefined): void {
    const begun = this.underWay.get(ended.n);
    this.underWay.delete(ended.n);
    const tookMs = begun === undefined ? 0 : Math.round(performance.now() - begun.startedMs);
    this.tell({ ...ended, tookMs });
    const where = begun?.where ?? opened;
    if (where !== undefined) void this.photograph(ended.n, where, "after");
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
