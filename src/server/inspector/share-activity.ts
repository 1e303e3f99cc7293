import { ActivityQueue } from "../../host/activity-queue.ts";
import type { Host } from "../../host/port.ts";
import type { Activity } from "../../model/activity.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";

interface Page {
  readonly queue: ActivityQueue;
  readonly ending: AbortController;
  failure?: Failure;
}

const shared = new WeakMap<Host, SharedActivity>();

/** Looks on once for all pages of a process: more than one page sees the same. */
export function observeTogether(host: Host, signal: AbortSignal): AsyncGenerator<Result<Activity>> {
  const known = shared.get(host) ?? new SharedActivity(host);
  shared.set(host, known);
  return known.observe(signal);
}

class SharedActivity {
  private readonly pages = new Set<Page>();
  private looking: AbortController | undefined;
  /** The last look has ended at the host, too, before the next one begins. */
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly host: Host) {}

  async *observe(signal: AbortSignal): AsyncGenerator<Result<Activity>> {
    const page: Page = { queue: new ActivityQueue(), ending: new AbortController() };
    this.pages.add(page);
    this.begin();
    try {
      const over = AbortSignal.any([signal, page.ending.signal]);
      for await (const activity of page.queue.take(over)) yield succeed(activity);
    } finally {
      this.pages.delete(page);
      if (this.pages.size === 0) this.looking?.abort();
    }
    if (page.failure !== undefined && !signal.aborted) yield fail(page.failure);
  }

  private begin(): void {
    if (this.looking !== undefined && !this.looking.signal.aborted) return;
    const looking = new AbortController();
    this.looking = looking;
    this.last = this.last.then(() => this.follow(looking));
  }

  private async follow(looking: AbortController): Promise<void> {
    let failure: Failure | undefined;
    try {
      for await (const one of this.host.observe(looking.signal)) {
        if (one.ok) for (const { queue } of this.pages) queue.add(one.value);
        else failure = one.failure;
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      failure = { code: "UNAVAILABLE", message, done: nothingDone };
    }
    // A page that came after the last one had gone waits for the next look.
    if (looking.signal.aborted) return;
    looking.abort();
    for (const page of this.pages) {
      if (failure !== undefined) page.failure = failure;
      page.ending.abort();
    }
  }
}
