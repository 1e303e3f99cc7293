import { setTimeout as pause } from "node:timers/promises";
import type { ChangeLine } from "../../model/change-line.ts";
import type { Result } from "../../model/failure.ts";
import { screenUri, uriOfWindow } from "./resources.ts";

/** Changes that come together are told together. */
const gatherMs = 100;
const retryMs = { least: 1000, most: 30_000 };
/** A desktop that does not answer is followed when it does. */
const firstLookMs = 5000;
/** Nobody reads so many; a client that asks for more is told about the first. */
const maxWanted = 1000;

export interface FeedMeans {
  watch(signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>>;
  onUpdated(uri: string): void;
  onListChanged(): void;
}

/** Tells a client which resources have changed, as long as it wants to know of any. */
export class Feed {
  private readonly wanted = new Set<string>();
  private readonly changed = new Set<string>();
  private isListChanged = false;
  private timer: NodeJS.Timeout | undefined;
  private watching: AbortController | undefined;
  private isAllWanted = false;
  private looked = Promise.withResolvers<void>();

  constructor(private readonly means: FeedMeans) {}

  /** Resolves when it is looked at: what changes after that is told. */
  async want(uri: string): Promise<void> {
    if (this.wanted.size < maxWanted) this.wanted.add(uri);
    this.begin();
    await Promise.race([this.looked.promise, Bun.sleep(firstLookMs)]);
  }

  unwant(uri: string): void {
    this.wanted.delete(uri);
    if (this.wanted.size === 0 && !this.isAllWanted) this.close();
  }

  /** For clients that say elsewhere what they want, and are told no more than that. */
  wantAll(): void {
    this.isAllWanted = true;
    this.begin();
  }

  private begin(): void {
    if (this.watching !== undefined) return;
    this.watching = new AbortController();
    this.looked = Promise.withResolvers();
    void this.follow(this.watching.signal);
  }

  close(): void {
    this.isAllWanted = false;
    this.watching?.abort();
    this.looked.resolve();
    this.watching = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changed.clear();
  }

  /** A watch that ends by itself is begun again: the desktop may come back. */
  private async follow(signal: AbortSignal): Promise<void> {
    for (let waitMs = retryMs.least; !signal.aborted; waitMs = Math.min(waitMs * 2, retryMs.most)) {
      try {
        for await (const batch of this.means.watch(signal)) {
          if (signal.aborted) return;
          this.looked.resolve();
          if (!batch.ok) break;
          waitMs = retryMs.least;
          this.take(batch.value);
        }
      } catch {
        // A lost connection: begun again like any other end.
      }
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private take(lines: readonly ChangeLine[]): void {
    const [first] = lines;
    if (first?.kind === "start") {
      // What is there at first was read by whoever subscribed; anything else may have been missed.
      if (first.reason === "first") return;
      for (const uri of this.wanted) this.changed.add(uri);
      this.isListChanged = true;
    }
    for (const line of lines) this.note(line);
    if (this.changed.size > 0 || this.isListChanged) this.timer ??= setTimeout(() => this.tell(), gatherMs);
  }

  private note(line: ChangeLine): void {
    switch (line.kind) {
      case "start":
      case "token":
      case "note":
        return;
      case "window":
        this.changed.add(screenUri);
        this.changed.add(uriOfWindow(line.window));
        if (line.what === "opened" || line.what === "closed") this.isListChanged = true;
        return;
      default:
        this.changed.add(uriOfWindow(line.window));
    }
  }

  private tell(): void {
    this.timer = undefined;
    const uris = [...this.changed].filter((uri) => this.isAllWanted || this.wanted.has(uri));
    const { isListChanged } = this;
    this.changed.clear();
    this.isListChanged = false;
    for (const uri of uris) this.means.onUpdated(uri);
    if (isListChanged) this.means.onListChanged();
  }
}
