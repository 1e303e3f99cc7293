import { AsyncLocalStorage } from "node:async_hooks";
import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from "@modelcontextprotocol/server";
import { Feed } from "./feed.ts";
import type { Desk } from "./means.ts";

interface Audience {
  readonly listeners: InMemoryServerEventBus;
  readonly feed: Feed;
}

/** Follows the desktop for each client that listens, under its own name: it is told of what it may look at, and of nothing else. */
export class ClientBus implements ServerEventBus {
  private readonly audiences = new Map<string, Audience>();
  /** Who asks: the protocol's library does not say it of those who listen. */
  private readonly asking = new AsyncLocalStorage<string>();

  constructor(private readonly desk: Desk) {}

  listenAs<T>(client: string, ask: () => Promise<T>): Promise<T> {
    return this.asking.run(client, ask);
  }

  publish(event: ServerEvent): void {
    for (const { listeners } of this.audiences.values()) listeners.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const client = this.asking.getStore();
    if (client === undefined) throw new Error("nobody is known to listen");
    const audience = this.audiences.get(client) ?? this.gather(client);
    const leave = audience.listeners.subscribe(listener);
    audience.feed.wantAll();
    return () => {
      leave();
      if (audience.listeners.listenerCount > 0) return;
      audience.feed.close();
      if (this.audiences.get(client) === audience) this.audiences.delete(client);
    };
  }

  private gather(client: string): Audience {
    const listeners = new InMemoryServerEventBus();
    const feed = new Feed({
      watch: (signal) => this.desk.watch(client, { input: {} }, signal),
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
