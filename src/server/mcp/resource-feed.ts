import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import type { ChangeLine } from "../../model/change-line.ts";
import type { Result } from "../../model/failure.ts";
import type { ClientCalls } from "./client-calls.ts";
import { screenUri, uriOfWindow } from "./resources.ts";

const gatherMs = 100;
const retryMs = { least: 1000, most: 30_000 };
/** A subscription is confirmed after this time even if the desktop does not answer yet. */
const firstReadMs = 5000;
/** Further subscriptions of one client are ignored. */
const maxSubscriptions = 1000;

interface FeedOptions {
  watch(signal: AbortSignal): AsyncIterable<Result<readonly ChangeLine[]>>;
  onUpdated(uri: string): void;
  onListChanged(): void;
}

export class ResourceFeed {
  private readonly subscribed = new Set<string>();
  private readonly changed = new Set<string>();
  private isListChanged = false;
  private timer: NodeJS.Timeout | undefined;
  private watching: AbortController | undefined;
  private isAllSubscribed = false;
  private firstRead = Promise.withResolvers<void>();

  constructor(private readonly options: FeedOptions) {}

  /** Resolves after the first read: what changes from then on is notified. */
  async subscribe(uri: string): Promise<void> {
    if (this.subscribed.size < maxSubscriptions) this.subscribed.add(uri);
    this.begin();
    await Promise.race([this.firstRead.promise, Bun.sleep(firstReadMs)]);
  }

  unsubscribe(uri: string): void {
    this.subscribed.delete(uri);
    if (this.subscribed.size === 0 && !this.isAllSubscribed) this.close();
  }

  /** For clients of which the protocol's library keeps the subscriptions, and filters what they hear. */
  subscribeAll(): void {
    this.isAllSubscribed = true;
    this.begin();
  }

  private begin(): void {
    if (this.watching !== undefined) return;
    this.watching = new AbortController();
    this.firstRead = Promise.withResolvers();
    void this.follow(this.watching.signal);
  }

  close(): void {
    this.isAllSubscribed = false;
    this.watching?.abort();
    this.firstRead.resolve();
    this.watching = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changed.clear();
  }

  /** A watch that ends by itself is started again: the desktop may come back. */
  private async follow(signal: AbortSignal): Promise<void> {
    for (let waitMs = retryMs.least; !signal.aborted; waitMs = Math.min(waitMs * 2, retryMs.most)) {
      try {
        for await (const batch of this.options.watch(signal)) {
          if (signal.aborted) return;
          this.firstRead.resolve();
          if (!batch.ok) break;
          waitMs = retryMs.least;
          this.take(batch.value);
        }
      } catch {
        // A lost connection is retried like any other end.
      }
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }

  private take(lines: readonly ChangeLine[]): void {
    const [first] = lines;
    if (first?.kind === "start") {
      // The subscriber has read what is there at first; after another start, changes may have been missed.
      if (first.reason === "first") return;
      for (const uri of this.subscribed) this.changed.add(uri);
      this.isListChanged = true;
    }
    for (const line of lines) this.note(line);
    if (this.changed.size > 0 || this.isListChanged) this.timer ??= setTimeout(() => this.notify(), gatherMs);
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

  private notify(): void {
    this.timer = undefined;
    const uris = [...this.changed].filter((uri) => this.isAllSubscribed || this.subscribed.has(uri));
    const { isListChanged } = this;
    this.changed.clear();
    this.isListChanged = false;
    for (const uri of uris) this.options.onUpdated(uri);
    if (isListChanged) this.options.onListChanged();
  }
}

interface Audience {
  readonly listeners: InMemoryServerEventBus;
  readonly feed: ResourceFeed;
}

/** Watches the desktop for each client that listens, under its own name, so that it hears only of what it may read. */
export class ClientBus implements ServerEventBus {
  private readonly audiences = new Map<string, Audience>();
  /** The client that subscribes: the protocol's library does not pass it on. */
  private readonly subscriber = new AsyncLocalStorage<string>();

  constructor(private readonly calls: ClientCalls) {}

  listenAs<T>(client: string, ask: () => Promise<T>): Promise<T> {
    return this.subscriber.run(client, ask);
  }

  publish(event: ServerEvent): void {
    for (const { listeners } of this.audiences.values()) listeners.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const client = this.subscriber.getStore();
    if (client === undefined) throw new Error("subscribed outside of listenAs");
    const audience = this.audiences.get(client) ?? this.open(client);
    const leave = audience.listeners.subscribe(listener);
    audience.feed.subscribeAll();
    return () => {
      leave();
      if (audience.listeners.listenerCount > 0) return;
      audience.feed.close();
      if (this.audiences.get(client) === audience) this.audiences.delete(client);
    };
  }

  private open(client: string): Audience {
    const listeners = new InMemoryServerEventBus();
    const feed = new ResourceFeed({
      watch: (signal) => this.calls.watch(client, { input: {} }, signal),
      onUpdated: (uri) => listeners.publish({ kind: "resource_updated", uri }),
      onListChanged: () => listeners.publish({ kind: "resources_list_changed" }),
    });
    const audience = { listeners, feed };
    this.audiences.set(client, audience);
    return audience;
  }

  close(): void {
    for (const { feed } of this.audiences.values()) feed.close();
    this.audiences.clear();
  }
}
