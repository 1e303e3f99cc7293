import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { succeed } from "../../../model/failure.ts";
import { OwnWindow } from "../own-window.ts";
import { defineMethod, type Method, type PanelContext } from "../panel.ts";

/** After trouble, unless what runs tools comes back before. */
const againMs = 1000;

const feeds = new WeakMap<PanelContext, TreeFeed>();

export const treeMethods: readonly Method[] = [
  defineMethod({
    name: "tree.follow",
    params: z.object({ isWhole: z.boolean() }),
    async run({ isWhole }, context) {
      const feed = feeds.get(context) ?? new TreeFeed(context);
      feeds.set(context, feed);
      feed.begin(isWhole);
      return succeed(null);
    },
  }),
];

/** Tells one page what is on the screen and what changes, as long as the page is there. */
class TreeFeed {
  private watching: AbortController | undefined;
  private wake = Promise.withResolvers<void>();

  constructor(private readonly context: PanelContext) {
    context.onHostOpen(() => this.wake.resolve());
  }

  begin(isWhole: boolean): void {
    this.watching?.abort();
    const watching = new AbortController();
    this.watching = watching;
    void this.follow(isWhole, AbortSignal.any([watching.signal, this.context.signal]));
  }

  private async follow(isWhole: boolean, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const trouble = await this.tell(isWhole, signal);
      if (signal.aborted) return;
      if (trouble === undefined) continue;
      this.wake = Promise.withResolvers();
      await this.context.push("tree.trouble", { message: trouble });
      await Promise.race([this.wake.promise, pause(againMs)]);
    }
  }

  /** Until it is over; gives what the trouble was, or nothing where it is to begin anew at once. */
  private async tell(isWhole: boolean, signal: AbortSignal): Promise<string | undefined> {
    const { host, ownTitle } = this.context;
    const own = new OwnWindow(ownTitle);
    const input = { points: true, ...(isWhole ? { all: true } : {}) };
    for await (const batch of host.watch({ input }, signal)) {
      if (!batch.ok) return batch.failure.message;
      const { lines, isMissingSome } = own.take(batch.value);
      if (isMissingSome) return undefined;
      if (lines.length > 0) await this.context.push("tree.lines", lines);
      if (signal.aborted) return undefined;
    }
    return "it ended";
  }
}
