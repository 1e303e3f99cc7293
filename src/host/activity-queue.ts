import type { Activity } from "../model/activity.ts";

/** What waits for one who looks on: so many pictures, and so many events in all. */
const [mostCrops, mostEvents] = [8, 200];

/** What happened and was not taken yet. Who is slow loses pictures first, then the oldest events, and is told so. */
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
