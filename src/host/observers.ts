import type { ActionObserver, Activity, Begun, Moment, ShowBefore, Spot } from "../model/activity.ts";
import type { Effect } from "../model/effect.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { describeEnded, shortenBegun } from "../show/activity.ts";
import { ActivityQueue } from "./activity-queue.ts";

/**
 * An action waits no longer than this for the picture of what was there before it. It takes some 15 ms, and 70 where a secret
 * is to be covered; several times as long on a busy machine.
 */
const longestWaitMs = 250;
/** Nothing waits for the picture of what came of it, but no more of them are taken at once, and none for longer. */
const [longestAfterMs, mostAfter] = [2000, 2];
/** More actions than this are never under way; older ones have never ended. */
const mostUnderWay = 64;
const mostObservers = 8;
/** An eye that does not answer is not asked again until it has. */
const mostSeeing = 2;

export interface Photo {
  readonly jpeg: string;
  readonly width: number;
  readonly height: number;
}

/** Sees a place as it is now; the picture is made of it later. Undefined where nothing may be seen. */
export type Eye = (where: Spot) => Promise<(() => Promise<Photo>) | undefined>;

/** One who looks on, and its own eye: each sees what it may see itself. */
interface Observer {
  readonly queue: ActivityQueue;
  readonly see: Eye;
  seeing: number;
}

interface UnderWay {
  readonly startedMs: number;
  readonly where: Spot | undefined;
}

/** Tells those who look on what the clients of this process do. While nobody does, it costs nothing. */
export class Observers implements ActionObserver {
  private readonly observers = new Set<Observer>();
  private readonly underWay = new Map<number, UnderWay>();
  private afterCount = 0;

  constructor(private readonly maxWaitMs = longestWaitMs) {}

  get count(): number {
    return this.observers.size;
  }

  /** Until the signal ends it. */
  async *observe(see: Eye, signal: AbortSignal): AsyncGenerator<Result<Activity>> {
    if (this.count >= mostObservers) return yield fail(describeCrowd());
    const observer = { queue: new ActivityQueue(), see, seeing: 0 };
    this.observers.add(observer);
    try {
      for await (const activity of observer.queue.take(signal)) yield succeed(activity);
    } finally {
      this.observers.delete(observer);
    }
  }

  async look(where: Spot | undefined): Promise<ShowBefore | undefined> {
    if (this.count === 0) return undefined;
    const shows = where === undefined ? [] : await this.photograph(where, "before", this.maxWaitMs);
    return (n) => {
      for (const show of shows) show(n);
    };
  }

  begin(begun: Begun, where: Spot | undefined, show: ShowBefore | undefined): void {
    if (this.count === 0) return;
    const { n } = begun;
    this.underWay.set(n, { startedMs: performance.now(), where });
    dropOldest(this.underWay, mostUnderWay);
    this.tell(shortenBegun(begun));
    show?.(n);
  }

  end(n: number, outcome: Result<Effect>): void {
    if (this.count === 0) return;
    const begun = this.underWay.get(n);
    this.underWay.delete(n);
    const tookMs = begun === undefined ? 0 : Math.round(performance.now() - begun.startedMs);
    this.tell({ ...describeEnded(n, outcome), tookMs });
    // Where nothing was before, what opened is shown.
    const where = begun?.where ?? (outcome.ok ? outcome.value.changes.openedWindows[0]?.bounds : undefined);
    if (where !== undefined) void this.showAfter(n, where);
  }

  private tell(activity: Activity): void {
    for (const { queue } of this.observers) queue.add(activity);
  }

  private async showAfter(n: number, where: Spot): Promise<void> {
    if (this.afterCount >= mostAfter) return;
    this.afterCount += 1;
    const shows = await this.photograph(where, "after", longestAfterMs);
    this.afterCount -= 1;
    for (const show of shows) show(n);
  }

  /** For one after the other. What is not seen in time is not shown: it might show what came after. */
  private async photograph(where: Spot, when: Moment, withinMs: number): Promise<readonly ShowBefore[]> {
    const shows: ShowBefore[] = [];
    const late = pause(withinMs);
    let isLate = false;
    const seeAll = async (): Promise<void> => {
      for (const observer of this.observers) {
        if (isLate) return;
        const develop = await see(observer, where);
        const { queue } = observer;
        if (develop === undefined || isLate) continue;
        shows.push((n) => void develop().then((photo) => queue.add({ kind: "crop", n, when, ...photo }), ignore));
      }
    };
    await Promise.race([seeAll(), late.over]);
    isLate = true;
    late.cancel();
    return shows;
  }
}

const ignore = (): void => undefined;

async function see(observer: Observer, where: Spot): ReturnType<Eye> {
  if (observer.seeing >= mostSeeing) return undefined;
  observer.seeing += 1;
  try {
    return await observer.see(where);
  } catch {
    return undefined;
  } finally {
    observer.seeing -= 1;
  }
}

function dropOldest(kept: Map<number, unknown>, most: number): void {
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}

function pause(ms: number): { readonly over: Promise<void>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  return { over: promise, cancel: () => clearTimeout(timer) };
}

function describeCrowd(): Failure {
  return {
    code: "UNAVAILABLE",
    message: `${mostObservers} look on already`,
    suggestion: "close another page of the inspector.",
    done: nothingDone,
  };
}
