import type { ActionObserver, Activity, Begun, CropTime, ShowBefore, Spot } from "../model/activity.ts";
import type { Effect } from "../model/effect.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { describeEnded, shortenBegun } from "../show/activity.ts";

/** How long an action waits for a picture of its target: that takes 15 ms, 70 with secrets, more under load. */
const longestWaitMs = 250;
/** Limits of pictures after an action: nothing waits for them. */
const [longestAfterMs, mostAfter] = [2000, 2];
const mostUnderWay = 64;
const mostObservers = 8;
/** A camera that does not answer is not asked again until it has. */
const mostPending = 2;

export interface Photo {
  readonly jpeg: string;
  readonly width: number;
  readonly height: number;
}

/** Captures a place now; the returned function encodes the picture later. Undefined if nothing may be seen. */
export type Camera = (where: Spot) => Promise<(() => Promise<Photo>) | undefined>;

/** Each observer has its own camera, which shows only what that observer may see. */
interface Observer {
  readonly queue: ActivityQueue;
  readonly capture: Camera;
  pending: number;
}

/** Reports to observers what the clients of this process do. Without observers it costs nothing. */
export class Observers implements ActionObserver {
  private readonly observers = new Set<Observer>();
  private readonly underWay = new Map<number, { readonly startedMs: number; readonly where: Spot | undefined }>();
  private afterCount = 0;

  constructor(private readonly maxWaitMs = longestWaitMs) {}

  get count(): number {
    return this.observers.size;
  }

  async *observe(capture: Camera, signal: AbortSignal): AsyncGenerator<Result<Activity>> {
    if (this.count >= mostObservers) {
      const message = `there are ${mostObservers} observers already`;
      return yield fail(makeFailure("UNAVAILABLE", message, "close another page of the inspector."));
    }
    const observer = { queue: new ActivityQueue(), capture, pending: 0 };
    this.observers.add(observer);
    try {
      for await (const activity of observer.queue.take(signal)) yield succeed(activity);
    } finally {
      this.observers.delete(observer);
    }
  }

  async captureBefore(where: Spot | undefined): Promise<ShowBefore | undefined> {
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
    const [oldest = n] = this.underWay.keys();
    if (this.underWay.size > mostUnderWay) this.underWay.delete(oldest);
    this.report(shortenBegun(begun));
    show?.(n);
  }

  end(n: number, outcome: Result<Effect>): void {
    if (this.count === 0) return;
    const begun = this.underWay.get(n);
    this.underWay.delete(n);
    const tookMs = begun === undefined ? 0 : Math.round(performance.now() - begun.startedMs);
    this.report({ ...describeEnded(n, outcome), tookMs });
    // Without a place before, the window that opened is shown.
    const where = begun?.where ?? (outcome.ok ? outcome.value.changes.openedWindows[0]?.bounds : undefined);
    if (where !== undefined) void this.showAfter(n, where);
  }

  private report(activity: Activity): void {
    for (const { queue } of this.observers) queue.add(activity);
  }

  private async showAfter(n: number, where: Spot): Promise<void> {
    if (this.afterCount >= mostAfter) return;
    this.afterCount += 1;
    const shows = await this.photograph(where, "after", longestAfterMs);
    this.afterCount -= 1;
    for (const show of shows) show(n);
  }

  /** For each observer in turn. Late pictures are dropped: they might show the effect already. */
  private async photograph(where: Spot, when: CropTime, withinMs: number): Promise<readonly ShowBefore[]> {
    const shows: ShowBefore[] = [];
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, withinMs);
    let isLate = false;
    const captureAll = async (): Promise<void> => {
      for (const observer of this.observers) {
        if (isLate) return;
        const develop = await capture(observer, where);
        const { queue } = observer;
        if (develop === undefined || isLate) continue;
        shows.push((n) => void develop().then((photo) => queue.add({ kind: "crop", n, when, ...photo }), ignore));
      }
    };
    await Promise.race([captureAll(), late.promise]);
    isLate = true;
    clearTimeout(timer);
    return shows;
  }
}

const ignore = (): void => undefined;

async function capture(observer: Observer, where: Spot): ReturnType<Camera> {
  if (observer.pending >= mostPending) return undefined;
  observer.pending += 1;
  try {
    return await observer.capture(where);
  } catch {
    return undefined;
  } finally {
    observer.pending -= 1;
  }
}

/** The most pictures, and the most events, that wait for one observer. */
const [mostCrops, mostEvents] = [8, 200];

/** Events for one observer. A slow one loses pictures first, then the oldest events, and is told how many. */
export class ActivityQueue {
  private readonly waiting: Activity[] = [];
  private lost = 0;
  private wake = Promise.withResolvers<void>();

  add(activity: Activity): void {
    this.waiting.push(activity);
    if (this.waiting.filter(({ kind }) => kind === "crop").length > mostCrops)
      this.loseFirst((one) => one.kind === "crop");
    if (this.waiting.length > mostEvents) this.loseFirst(() => true);
    this.wake.resolve();
  }

  async *take(signal: AbortSignal): AsyncGenerator<Activity> {
    const end = (): void => this.wake.resolve();
    signal.addEventListener("abort", end, { once: true });
    try {
      while (!signal.aborted) {
        if (this.lost > 0) {
          const count = this.lost;
          this.lost = 0;
          yield { kind: "lost", count };
        }
        const next = this.waiting.shift();
        if (next !== undefined) yield next;
        else {
          await this.wake.promise;
          this.wake = Promise.withResolvers();
        }
      }
    } finally {
      signal.removeEventListener("abort", end);
    }
  }

  private loseFirst(isOne: (activity: Activity) => boolean): void {
    this.waiting.splice(this.waiting.findIndex(isOne), 1);
    this.lost += 1;
  }
}
