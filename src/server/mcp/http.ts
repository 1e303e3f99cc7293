import { closeSync, fchmodSync, ftruncateSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { makeStateFolder, openRecordFile, type Places } from "../../guard/places.ts";
import { describeUnwritable } from "../../guard/refusals.ts";
import { nameFault } from "../../model/caught.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { isSameSecret, listenOnBoth, ownAddress, refuseForeign } from "../listen.ts";
import { ClientCalls, type McpContext } from "./client-calls.ts";
import { ClientBus } from "./resource-feed.ts";
import { makeServer, nameSender } from "./server.ts";

const maxBodyBytes = 4 << 20;
/** A connection without an admitted request ends then, as does one that takes longer to send its headers (Bun's limit). */
const idleSeconds = 10;

export interface HttpServer {
  readonly url: string;
  close(): Promise<void>;
}

export function serveOverHttp(
  context: McpContext,
  query: { readonly port: number; readonly token: string },
): Result<HttpServer> {
  const sessions = new HttpSessions(context);
  const answer = async (request: Request, connection: Pick<Bun.Server<undefined>, "timeout">): Promise<Response> => {
    const refused = refuseEntry(request, query.token);
    if (refused !== undefined) return refused;
    // An admitted client may wait for a person, and its event streams stay open as long as it does.
    connection.timeout(request, 0);
    try {
      return await sessions.handle(request);
    } catch (error) {
      return reject(500, `Deskmap itself failed: ${nameFault(error)}`);
    }
  };
  const listen = (hostname: string, port: number) =>
    Bun.serve({
      hostname,
      port,
      idleTimeout: idleSeconds,
      maxRequestBodySize: maxBodyBytes,
      fetch: answer,
      error: (fault) => reject(500, `Deskmap itself failed: ${nameFault(fault)}`),
      development: false,
    });
  const servers = listenOnBoth(query.port, listen);
  if (!servers.ok) {
    void sessions.close();
    return servers;
  }
  const [{ port = query.port }] = servers.value;
  const close = async (): Promise<void> => {
    await sessions.close();
    for (const server of servers.value) await server.stop(true);
  };
  return succeed({ url: `http://${ownAddress}:${port}${path}`, close });
}

const path = "/mcp";

/** The refusal of a request, or undefined. Where it comes from is checked before its token. */
function refuseEntry(request: Request, token: string): Response | undefined {
  const foreign = refuseForeign(request);
  if (foreign !== undefined) return turnAway(403, foreign);
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (!isSameSecret(given, token)) {
    return turnAway(
      401,
      "Refused: send the header Authorization: Bearer TOKEN, with the token that deskmap mcp --http prints.",
      {
        "www-authenticate": 'Bearer realm="deskmap"',
      },
    );
  }
  return URL.parse(request.url)?.pathname === path ? undefined : reject(404, `MCP is at ${path}.`);
}

/** A JSON-RPC error, of which clients show the message. */
function reject(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status, headers });
}

/** Refused before it is known who asks: its connection ends, so that nobody can fill the server with idle ones. */
function turnAway(status: number, message: string, headers: Record<string, string> = {}): Response {
  return reject(status, message, { ...headers, connection: "close" });
}

/** The session that was unused for longest is closed to make room. */
const sessionLimits = { maxSessions: 64, silentMs: 3_600_000 };

interface HttpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsedMs: number;
  /** Requests that are not answered, and streams that are not closed. */
  uses: number;
}

/** Clients of the older protocol have a session each; those of the newer one send everything with every request. */
export class HttpSessions {
  private readonly sessions = new Map<string, HttpSession>();
  private readonly calls: ClientCalls;
  private readonly modern: McpHttpHandler;
  private readonly bus: ClientBus;

  constructor(
    private readonly context: McpContext,
    private readonly limits = sessionLimits,
  ) {
    this.calls = new ClientCalls(context);
    this.bus = new ClientBus(this.calls);
    const factory = () => makeServer(context, this.calls).server;
    this.modern = createMcpHandler(factory, { legacy: "reject", bus: this.bus });
  }

  async handle(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const session = this.sessions.get(id);
      if (session === undefined) return reject(404, "There is no such session any more: initialize again.");
      return this.use(session, () => session.transport.handleRequest(request));
    }
    if (request.method === "POST" && !(await isLegacyRequest(request))) return this.serveModern(request);
    return request.method === "POST" ? this.begin(request) : reject(400, "The Mcp-Session-Id header is missing.");
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
    const { server } = makeServer(this.context);
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
    // Without an initialize request there is no session to return to.
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
    await this.calls.close();
  }
}

/** The library refuses what is not JSON. */
async function readJson(request: { json(): Promise<unknown> }): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

/** Opens an event stream with a comment, since its headers are sent with the first byte. Calls back when either side ends it. */
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

const tokenBytes = 32;

/** The token that clients must send: kept in a private file, so that a client that is set up once goes on working. */
export function findToken(places: Places, isFresh: boolean): Result<{ readonly token: string; readonly file: string }> {
  const file = join(places.state, "mcp.token");
  try {
    makeStateFolder(places);
    const descriptor = openRecordFile(file);
    try {
      fchmodSync(descriptor, 0o600);
      const kept = readFileSync(descriptor, "utf8").trim();
      if (!isFresh && /^[\w-]{40,}$/.test(kept)) return succeed({ token: kept, file });
      const token = Buffer.from(crypto.getRandomValues(new Uint8Array(tokenBytes))).toString("base64url");
      ftruncateSync(descriptor, 0);
      writeSync(descriptor, `${token}\n`);
      return succeed({ token, file });
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return fail(describeUnwritable(places.state, error));
  }
}
