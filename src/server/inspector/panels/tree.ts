import * as z from "zod/mini";
import type { ChangeLine } from "../../../model/change-line.ts";
import { type Failure, makeFailure, succeed } from "../../../model/failure.ts";
import { followHost, type Method, method, type PanelContext } from "../panel.ts";

const feeds = new WeakMap<PanelContext, TreeFeed>();

export const treeMethods: readonly Method[] = [
  method("tree.follow", z.object({ isWhole: z.boolean() }), async ({ isWhole }, context) => {
    const feed = feeds.get(context) ?? new TreeFeed(context);
    feeds.set(context, feed);
    feed.begin(isWhole);
    return succeed(null);
  }),
];

/** Sends one page what is on the screen and what changes, until the page is closed. */
class TreeFeed {
  private watching: AbortController | undefined;

  constructor(private readonly context: PanelContext) {}

  begin(isWhole: boolean): void {
    this.watching?.abort();
    this.watching = new AbortController();
    const signal = AbortSignal.any([this.watching.signal, this.context.signal]);
    void followHost(
      this.context,
      signal,
      () => this.watch(isWhole, signal),
      ({ message }) => this.context.push("tree.trouble", { message }),
    );
  }

  /** Ends with a failure, or with undefined to begin again at once. */
  private async watch(isWhole: boolean, signal: AbortSignal): Promise<Failure | undefined> {
    const { host, ownTitle } = this.context;
    const own = new OwnWindow(ownTitle);
    const input = { points: true, ...(isWhole ? { all: true } : {}) };
    for await (const batch of host.watch({ input }, signal)) {
      if (!batch.ok) return batch.failure;
      const { lines, isMissingSome } = own.take(batch.value);
      if (isMissingSome) return undefined;
      if (lines.length > 0) await this.context.push("tree.lines", lines);
      if (signal.aborted) return undefined;
    }
    return makeFailure("UNAVAILABLE", "it ended");
  }
}

/** Leaves out the browser window that shows the page, by its title: the page changes with every change that it shows, without end. */
export class OwnWindow {
  private readonly own = new Set<number>();

  constructor(private readonly title: string) {}

  /** The lines of other windows; and whether a window that was left out shows something else now, so that its content is missing. */
  take(lines: readonly ChangeLine[]): { readonly lines: readonly ChangeLine[]; readonly isMissingSome: boolean } {
    let isMissingSome = false;
    const left = lines.flatMap((line): readonly ChangeLine[] => {
      if (line.kind === "start") this.own.clear();
      if (!("window" in line)) return [line];
      const wasOwn = this.own.has(line.window);
      if (line.kind !== "window") return wasOwn ? [] : [line];
      const isOwn = line.title.includes(this.title) && line.what !== "closed";
      if (isOwn) this.own.add(line.window);
      else this.own.delete(line.window);
      isMissingSome ||= wasOwn && !isOwn && line.what !== "closed";
      if (isOwn && !wasOwn && line.what !== "opened") return [{ ...line, what: "closed" }];
      return isOwn || wasOwn ? [] : [line];
    });
    return { lines: left, isMissingSome };
  }
}
