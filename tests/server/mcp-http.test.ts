import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { findToken, type HttpServer, serveOverHttp } from "../../src/server/mcp/http.ts";
import { matrix } from "../tier.ts";
import { type FakeDesk, makeDesk } from "./mcp-fake.ts";

const token = "correct-horse-battery-staple-0123456789-0123456789";
let desk: FakeDesk;
let server: HttpServer;
let port: number;

beforeAll(async () => {
  desk = await makeDesk();
  const opened = serveOverHttp(desk.context, { port: 0, token });
  if (!opened.ok) throw new Error(opened.failure.message);
  server = opened.value;
  port = Number(new URL(server.url).port);
});
afterAll(() => server.close());

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "web", version: "1" } },
};

function post(body: unknown, headers: Record<string, string> = {}, url = server.url): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  return JSON.parse(/^data: (\{.*\})$/m.exec(text)?.[1] ?? text);
}

describe("an admitted client", () => {
  test("knows the token; all others are told how to get it, and nothing else", async () => {
    for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${token}`, `Bearer ${token}x`, token]) {
      const response = await post(initialize, { authorization });
      expect([authorization, response.status]).toEqual([authorization, 401]);
      expect(response.headers.get("www-authenticate")).toStartWith("Bearer");
      expect(await response.text()).toContain("Authorization: Bearer TOKEN");
    }
    expect((await post(initialize)).status).toBe(200);
  });

  test("addresses this machine by its own name, and is no page from elsewhere", async () => {
    const written = [`evil@127.0.0.1:${port}`, `127.1:${port}`, `127.0.0.1:${port}/x`, `2130706433:${port}`];
    for (const host of [
      "evil.example.com",
      `evil.example.com:${port}`,
      "127.0.0.1.evil.example",
      "0.0.0.0",
      "",
      ...written,
    ]) {
      expect([host, (await post(initialize, { host })).status]).toEqual([host, 403]);
    }
    for (const origin of [
      "http://evil.example.com",
      "null",
      "https://localhost.evil.example",
      "file://",
      "app://localhost",
    ]) {
      const response = await post(initialize, { origin });
      expect([origin, response.status]).toEqual([origin, 403]);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect([host, (await post(initialize, { host, origin: `http://${host}` })).status]).toEqual([host, 200]);
    }
  });

  test("is on this machine: its other addresses do not answer", async () => {
    const addresses = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of addresses) {
      expect(fetch(`http://${address}:${port}/mcp`)).rejects.toThrow();
    }
    expect((await post(initialize, {}, `http://127.0.0.1:${port}/mcp`)).status).toBe(200);
    expect((await post(initialize, {}, `http://127.0.0.1:${port}/other`)).status).toBe(404);
  });
});

describe("a session", () => {
  test("begins with initialization, belongs to its client, and ends on request", async () => {
    const response = await post(initialize);
    const id = response.headers.get("mcp-session-id") ?? "";
    expect(id).not.toBe("");
    await response.text();
    const own = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "read", arguments: {} } };
    expect(await readAnswer(await post(call, own))).toMatchObject({ id: 2, result: { content: [{ type: "text" }] } });
    expect(desk.asked.at(-1)?.client).toBe("mcp:web");
    const ended = await fetch(server.url, { method: "DELETE", headers: { authorization: `Bearer ${token}`, ...own } });
    expect(ended.status).toBe(200);
    expect((await post(call, own)).status).toBe(404);
  });

  test("is required after initialization, and cannot be made up", async () => {
    const call = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
    expect((await post(call)).status).toBe(400);
    expect((await post(call, { "mcp-session-id": crypto.randomUUID() })).status).toBe(404);
    const stream = await fetch(server.url, {
      headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    });
    expect(stream.status).toBe(400);
  });

  test("has a stream with changes", async () => {
    const response = await post(initialize);
    const own = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
    await response.text();
    await post({ jsonrpc: "2.0", method: "notifications/initialized" }, own);
    const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream", ...own };
    const stream = await fetch(server.url, { headers });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await post({ jsonrpc: "2.0", id: 3, method: "resources/subscribe", params: { uri: "deskmap://screen" } }, own);
    desk.tell({ kind: "window", what: "closed", window: 3, app: "a", title: "t" });
    let heard = "";
    while (!heard.includes("resources/updated")) heard += (await reader?.read())?.value ?? "";
    expect(heard).toContain("deskmap://screen");
    await reader?.cancel();
    await fetch(server.url, { method: "DELETE", headers });
    expect(desk.watchers()).toBe(0);
  });

  test("is not needed in the newer protocol, where every request identifies its client", async () => {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "newer", version: "2" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = { jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "read", arguments: {}, _meta } };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "read" };
    const response = await post(call, headers);
    expect([response.status, await readAnswer(response)]).toMatchObject([200, { id: 5, result: { content: [{}] } }]);
    expect(desk.asked.at(-1)?.client).toBe("mcp:newer");
  });
});

describe("the token", () => {
  const home = mkdtempSync(join(tmpdir(), "deskmap-token-"));
  const places = findPlaces({ XDG_STATE_HOME: home, XDG_CONFIG_HOME: home });
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const find = (isFresh = false) => {
    const found = findToken(places, isFresh);
    if (!found.ok) throw new Error(found.failure.message);
    return found.value;
  };

  test("is in a private file, lasts, and is replaced on request", () => {
    const first = find();
    expect(first.token.length).toBeGreaterThan(40);
    expect(readFileSync(first.file, "utf8").trim()).toBe(first.token);
    chmodSync(first.file, 0o644);
    expect(find().token).toBe(first.token);
    expect(statSync(first.file).mode & 0o777).toBe(0o600);
    const other = find(true);
    expect(other.token).not.toBe(first.token);
    expect(find().token).toBe(other.token);
  });

  test("is not written through a link", () => {
    const { file } = find();
    rmSync(file);
    symlinkSync(join(home, "elsewhere"), file);
    expect(findToken(places, false).ok).toBe(false);
  });
});

/** What a plain connection gets until the server closes it; after the first answer it asks once more. */
async function converse(text: string): Promise<string> {
  let got = "";
  const ended = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => socket.write(text));
  socket.on("data", (bytes) => {
    if (got === "") socket.write(text);
    got += String(bytes);
  });
  // It is closed already.
  socket.on("error", () => undefined);
  socket.on("close", () => ended.resolve());
  await ended.promise;
  return got;
}

describe("a connection ends", () => {
  test("with the refusal of its request", async () => {
    const asked = (host: string) => `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`;
    for (const [host, status] of [
      [`127.0.0.1:${port}`, 401],
      ["evil.example", 403],
    ] as const) {
      const got = await converse(asked(host));
      // An idle connection ends later, too: what is asked on this one is not answered any more.
      expect([...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, told]) => Number(told))).toEqual([status]);
    }
  });

  matrix.test("if it asks nothing, or never ends its headers", async () => {
    expect(await Promise.all([converse(""), converse("POST /mcp HTTP/1.1\r\nHost: x\r\n")])).toHaveLength(2);
  });
});
