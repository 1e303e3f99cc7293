import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { ClientBus } from "./client-bus.ts";
import { nameSender } from "./client-name.ts";
import { tell } from "./entry-check.ts";
import { Desk, type Means } from "./means.ts";
import { makeServer } from "./server.ts";

/** More clients than anybody has; the one that was silent the longest makes room. */
const sessionLimits = { maxSessions: 64, silentMs: 3_600_000 };

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Counted without the wall clock, which jumps. */
  lastUsedMs: number;
  /** Requests that are not answered, and streams that are not closed: whoever listens is not silent. */
  uses: number;
}

/** The clients that come by HTTP: with a session each, or, in the newer protocol, with everything in every request. */
export class HttpSessions {
  private readonly sessions = new Map<string, HttpSession>();
  private readonly desk: Desk;
  private readonly modern: McpHttpHandler;
  private readonly bus: ClientBus;

  constructor(
    private readonly means: Means,
    private readonly limits = sessionLimits,
  ) {
    this.desk = new Desk(means);
    this.bus = new ClientBus(this.desk);
    const factory = () => makeServer(means, this.desk).server;
    this.modern = createMcpHandler(factory, { legacy: "reject", bus: this.bus });
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.sessions.get(id);
      if (session === undefined) return tell(404, "There is no such session any more: initialize again.");
      return this.use(session, () => session.transport.handleRequest(request));
    }
    if (request.method === "POST" && !(await isLegacyRequest(request))) return this.serveModern(request);
    return request.method === "POST" ? this.begin(request) : tell(400, "The Mcp-Session-Id header is missing.");
  }

  private async use(session: HttpSession, answer: () => Promise<Response>): Promise<Response> {
    let hasEnded = false;
    const end = (): void => {
      session.lastUsedMs = performance.now();
      session.uses -= hasEnded ? 0 : 1;
      hasEnded = true;
    };
    session.uses += 1;
    session.lastUsedMs = performance.now();
    try {
      return announce(await answer(), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  private async serveModern(request: Request): Promise<Response> {
    const client = nameSender(await readJson(request.clone()));
    return this.bus.listenAs(client, () => this.modern.fetch(request));
  }

  private async begin(request: Request): Promise<Response> {
    const { server } = makeServer(this.means);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: async (id) => {
        await this.makeRoom();
        this.sessions.set(id, { transport, lastUsedMs: performance.now(), uses: 0 });
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
    const { maxSessions, silentMs } = this.limits;
    const now = performance.now();
    const byAge = [...this.sessions.values()].toSorted((a, b) => a.lastUsedMs - b.lastUsedMs);
    const unused = byAge.filter(({ uses }) => uses === 0);
    const used = byAge.filter(({ uses }) => uses > 0);
    const crowd = [...unused, ...used].slice(0, Math.max(0, byAge.length - maxSessions + 1));
    const silent = unused.filter(({ lastUsedMs }) => now - lastUsedMs > silentMs);
    await Promise.allSettled([...new Set([...crowd, ...silent])].map(({ transport }) => transport.close()));
  }

  async close(): Promise<void> {
    this.bus.close();
    await Promise.allSettled([...this.sessions.values()].map(({ transport }) => transport.close()));
    await this.modern.close();
    await this.desk.close();
  }
}

/** What is no JSON is refused elsewhere. */
async function readJson(request: { json(): Promise<unknown> }): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

/**
 * A stream on which nothing is told for long says at once that it is there: its headers wait for the first byte. Tells when
 * it has ended, whoever ended it.
 */
function announce(response: Response, onEnd: () => void): Response {
  const { body, status, headers } = response;
  if (body === null || headers.get("content-type")?.includes("text/event-stream") !== true) {
    onEnd();
    return response;
  }
  const reader = body.getReader();
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(": open\n\n")),
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    cancel: (reason) => {
      onEnd();
      return reader.cancel(reason);
    },
  });
  return new Response(stream, { status, headers });
}
