import {
  createMcpHandler,
  InMemoryServerEventBus,
  isLegacyRequest,
  type McpHttpHandler,
  type ServerEvent,
  type ServerEventBus,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { tell } from "./entry-check.ts";
import { Feed } from "./feed.ts";
import { Desk, type Means } from "./means.ts";
import { makeServer } from "./server.ts";

/** More clients than anybody has; the one that was silent the longest makes room. */
const maxSessions = 64;
const silentMs = 3_600_000;

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsedMs: number;
}

/** The clients that come by HTTP: with a session each, or, in the newer protocol, with everything in every request. */
export class HttpSessions {
  private readonly sessions = new Map<string, HttpSession>();
  private readonly desk: Desk;
  private readonly modern: McpHttpHandler;
  private readonly bus: WatchedBus;

  constructor(private readonly means: Means) {
    this.desk = new Desk(means);
    this.bus = new WatchedBus(this.desk);
    const factory = () => makeServer(means, this.desk).server;
    this.modern = createMcpHandler(factory, { legacy: "reject", bus: this.bus });
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.sessions.get(id);
      if (session === undefined) return tell(404, "There is no such session any more: initialize again.");
      session.lastUsedMs = Date.now();
      return announce(await session.transport.handleRequest(request));
    }
    if (request.method === "POST" && !(await isLegacyRequest(request))) return this.modern.fetch(request);
    return request.method === "POST" ? this.begin(request) : tell(400, "The Mcp-Session-Id header is missing.");
  }

  private async begin(request: Request): Promise<Response> {
    const { server } = makeServer(this.means);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: async (id) => {
        await this.makeRoom();
        this.sessions.set(id, { transport, lastUsedMs: Date.now() });
      },
    });
    await server.connect(transport);
    const close = server.onclose;
    server.onclose = () => {
      close?.();
      if (transport.sessionId !== undefined) this.sessions.delete(transport.sessionId);
    };
    const response = await transport.handleRequest(request);
    // It was no initialize: nobody can come back to it.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  private async makeRoom(): Promise<void> {
    const now = Date.now();
    const byAge = [...this.sessions.values()].toSorted((a, b) => a.lastUsedMs - b.lastUsedMs);
    const crowd = byAge.slice(0, Math.max(0, byAge.length - maxSessions + 1));
    const silent = byAge.filter(({ lastUsedMs }) => now - lastUsedMs > silentMs);
    await Promise.allSettled([...new Set([...crowd, ...silent])].map(({ transport }) => transport.close()));
  }

  async close(): Promise<void> {
    this.bus.close();
    await Promise.allSettled([...this.sessions.values()].map(({ transport }) => transport.close()));
    await this.modern.close();
    await this.desk.close();
  }
}

/** A stream on which nothing is told for long says at once that it is there: its headers wait for the first byte. */
function announce(response: Response): Response {
  const { body, status, headers } = response;
  if (body === null || headers.get("content-type")?.includes("text/event-stream") !== true) return response;
  const reader = body.getReader();
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(": open\n\n")),
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(stream, { status, headers });
}

/** Follows the desktop as long as somebody listens. */
class WatchedBus implements ServerEventBus {
  private readonly listeners = new InMemoryServerEventBus();
  private readonly feed: Feed;

  constructor(desk: Desk) {
    this.feed = new Feed({
      watch: async function* (signal) {
        const host = await desk.host("mcp");
        yield* host.watch({ input: {} }, signal);
      },
      onUpdated: (uri) => this.publish({ kind: "resource_updated", uri }),
      onListChanged: () => this.publish({ kind: "resources_list_changed" }),
    });
  }

  publish(event: ServerEvent): void {
    this.listeners.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const leave = this.listeners.subscribe(listener);
    this.feed.wantAll();
    return () => {
      leave();
      if (this.listeners.listenerCount === 0) this.feed.close();
    };
  }

  close(): void {
    this.feed.close();
  }
}
