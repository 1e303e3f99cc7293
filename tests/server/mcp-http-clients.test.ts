import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ClientCalls } from "../../src/server/mcp/client-calls.ts";
import { type HttpServer, HttpSessions, serveOverHttp } from "../../src/server/mcp/http.ts";
import { done, type FakeDesk, makeDesk } from "./mcp-fake.ts";

const token = "correct-horse-battery-staple-0123456789-0123456789";
let desk: FakeDesk;
beforeEach(async () => {
  desk = await makeDesk();
});

const read = { tool: "read", input: {}, formats: ["text"] } as const;
const accept = "application/json, text/event-stream";
const protocol = "2026-07-28";

/** A request of the newer protocol, which identifies its sender. */
function ask(method: string, name: string, params: Record<string, unknown>, signal?: AbortSignal): Request {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": protocol,
    "io.modelcontextprotocol/clientInfo": { name, version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const headers = {
    "content-type": "application/json",
    accept,
    "mcp-protocol-version": protocol,
    "mcp-method": method,
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } });
  return new Request("http://127.0.0.1/mcp", { method: "POST", headers, body, signal: signal ?? null });
}

describe("the hosts of clients that change their names", () => {
  test("are limited in number: the least recently used one makes room", async () => {
    const own = new ClientCalls(desk.context, { maxHosts: 3, idleMs: 60_000 });
    for (const name of ["a", "b", "c", "a", "d"]) await own.call(name, read);
    expect([desk.opened, desk.closed]).toEqual([["a", "b", "c", "d"], ["b"]]);
    await own.close();
    expect(desk.closed.toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test("make no room while they are in use: a client that comes too late is told so", async () => {
    const own = new ClientCalls(desk.context, { maxHosts: 1, idleMs: 60_000 });
    const busy = Promise.withResolvers<typeof done>();
    desk.answer = () => busy.promise;
    const first = own.call("a", read);
    expect((await own.call("b", read)).failure).toMatchObject({ code: "UNAVAILABLE", done: "nothing was done." });
    busy.resolve(done);
    expect((await first).failure).toBeUndefined();
    expect((await own.call("b", read)).failure).toBeUndefined();
    expect(desk.closed).toEqual(["a"]);
    await own.close();
  });

  test("are closed when unused for a while, but not a watched one, and not the last", async () => {
    const own = new ClientCalls(desk.context, { maxHosts: 9, idleMs: 20 });
    const ending = new AbortController();
    const watching = own.watch("watcher", { input: {} }, ending.signal);
    await watching.next();
    for (const name of ["a", "b"]) await own.call(name, read);
    while (desk.closed.length < 2) await Bun.sleep(5);
    expect(desk.closed).toEqual(["a", "b"]);
    ending.abort();
    await watching.return(undefined);
    await Bun.sleep(50);
    expect(desk.closed).toEqual(["a", "b"]);
    await own.close();
  });
});

describe("clients of the newer protocol that listen", () => {
  test("are followed under their own names, and receive nothing that only another may see", async () => {
    const sessions = new HttpSessions(desk.context);
    const leaving = new AbortController();
    const uri = "deskmap://window/3";
    const listen = async (name: string) => {
      const params = { notifications: { resourceSubscriptions: [uri, "deskmap://window/4"] } };
      const { body } = await sessions.handle(ask("subscriptions/listen", name, params, leaving.signal));
      return body?.pipeThrough(new TextDecoderStream()).getReader();
    };
    const [seeing, veiled] = [await listen("seeing"), await listen("veiled")];
    while (desk.watchers() < 2) await Bun.sleep(1);
    expect(desk.opened.toSorted()).toEqual(["mcp:seeing", "mcp:veiled"]);
    const hear = async (reader: typeof seeing, until: string): Promise<string> => {
      let heard = "";
      while (!heard.includes(until)) heard += (await reader?.read())?.value ?? "";
      return heard;
    };
    const change = (window: number) => ({ kind: "window", what: "changed", window, app: "a", title: "t" }) as const;
    desk.tellTo("mcp:seeing", change(3));
    expect(await hear(seeing, "resources/updated")).toContain(uri);
    desk.tellTo("mcp:veiled", change(4));
    expect(await hear(veiled, "resources/updated")).not.toContain(`"${uri}"}`);
    leaving.abort();
    await sessions.close();
    expect(desk.watchers()).toBe(0);
  });
});

describe("a session", () => {
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "web", version: "1" } },
  };
  const begin = async (sessions: HttpSessions): Promise<string> => {
    const headers = { "content-type": "application/json", accept };
    const body = JSON.stringify(initialize);
    const response = await sessions.handle(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  };
  const enter = (sessions: HttpSessions, id: string, method: string): Promise<Response> =>
    sessions.handle(
      new Request("http://127.0.0.1/mcp", { method, headers: { "mcp-session-id": id, accept: "text/event-stream" } }),
    );

  test("is not idle while its stream is open, however long it is silent", async () => {
    const sessions = new HttpSessions(desk.context, { maxSessions: 9, silentMs: 1000 });
    const [listening, silent] = [await begin(sessions), await begin(sessions)];
    const stream = await enter(sessions, listening, "GET");
    await Bun.sleep(1020);
    await begin(sessions);
    expect((await enter(sessions, silent, "DELETE")).status).toBe(404);
    await stream.body?.cancel();
    // It has been in use until now.
    await begin(sessions);
    expect((await enter(sessions, listening, "DELETE")).status).toBe(200);
    await sessions.close();
  });

  test("does not end because the machine's clock is set", async () => {
    const sessions = new HttpSessions(desk.context);
    const id = await begin(sessions);
    const now = Date.now;
    Date.now = () => now() + 86_400_000;
    try {
      await begin(sessions);
    } finally {
      Date.now = now;
    }
    expect((await enter(sessions, id, "DELETE")).status).toBe(200);
    await sessions.close();
  });
});

describe("a port that another program has on the other loopback address", () => {
  let other: ReturnType<typeof Bun.serve>;
  let opened: HttpServer | undefined;
  beforeEach(() => {
    other = Bun.serve({ hostname: "::1", port: 0, fetch: () => new Response("mine") });
  });
  afterEach(async () => {
    await other.stop(true);
    await opened?.close();
    opened = undefined;
  });

  test("is not listened on: a client of localhost would give the token away", async () => {
    const port = other.port ?? 0;
    const result = serveOverHttp(desk.context, { port, token });
    if (result.ok) opened = result.value;
    expect(result).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    // The listener on the first address was closed again.
    const again = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response("free") });
    await again.stop(true);
  });

  test("is skipped if any port will do", async () => {
    const serve = Bun.serve;
    let isFirst = true;
    // The system would hardly ever choose that port by itself.
    Bun.serve = ((options: Parameters<typeof serve>[0] & { hostname: string; port: number }) => {
      const isForced = isFirst && options.hostname === "127.0.0.1";
      isFirst = isFirst && !isForced;
      return serve({ ...options, ...(isForced ? { port: other.port ?? 0 } : {}) });
    }) as typeof serve;
    try {
      const result = serveOverHttp(desk.context, { port: 0, token });
      if (!result.ok) throw new Error(result.failure.message);
      opened = result.value;
    } finally {
      Bun.serve = serve;
    }
    expect(isFirst).toBe(false);
    const port = Number(new URL(opened.url).port);
    expect(port).not.toBe(other.port);
    for (const host of ["127.0.0.1", "[::1]"]) expect((await fetch(`http://${host}:${port}/mcp`)).status).toBe(401);
  });
});
