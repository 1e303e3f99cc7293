import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { type InspectorServer, serveInspector } from "../../src/server/inspector/http.ts";
import { loadPage } from "../../src/server/inspector/page.ts";
import { type FakeHost, keep, makeFakeHost } from "./fake-host.ts";

let host: FakeHost;
let server: InspectorServer;
let address: URL;

beforeAll(async () => {
  host = makeFakeHost([
    { kind: "start", reason: "first" },
    { kind: "token", token: "t", atMs: 1 },
  ]);
  const served = await serveInspector({ host: await keep(host), env: {}, version: "1.2.3" }, 0);
  if (!served.ok) throw new Error(served.failure.message);
  server = served.value;
  address = new URL(server.url);
});
afterAll(() => server.close());

const token = (): string => address.hash.slice(1);
const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(new URL(path, address.origin), init);

/** A socket as a browser opens it, with what it is told. */
async function openSocket(hello: unknown, headers: Record<string, string> = { origin: address.origin }) {
  const heard: Record<string, unknown>[] = [];
  const closed = Promise.withResolvers<number>();
  let wake = Promise.withResolvers<void>();
  // Bun's client can be given headers; browsers give their own.
  const socket = new WebSocket(`ws://${address.host}/socket`, { headers });
  socket.onmessage = ({ data }) => {
    heard.push(JSON.parse(String(data)));
    wake.resolve();
  };
  socket.onclose = ({ code }) => {
    closed.resolve(code);
    wake.resolve();
  };
  socket.onopen = () => {
    if (hello !== undefined) socket.send(typeof hello === "string" ? hello : JSON.stringify(hello));
  };
  const find = async (isIt: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> => {
    for (;;) {
      const found = heard.find(isIt);
      if (found !== undefined) return found;
      if (socket.readyState === WebSocket.CLOSED) throw new Error(`closed: ${JSON.stringify(heard)}`);
      await wake.promise;
      wake = Promise.withResolvers();
    }
  };
  return { socket, heard, closed: closed.promise, find };
}

describe("the page's files", () => {
  test("are given to this machine's own names alone", async () => {
    expect((await ask("/")).status).toBe(200);
    const { port } = address;
    for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, "127.0.0.1:1", "localhost"]) {
      expect([host, (await ask("/", { headers: { host } })).status]).toEqual([host, 403]);
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect([host, (await ask("/", { headers: { host } })).status]).toEqual([host, 200]);
    }
  });

  test("are not given to other pages, other methods and other paths", async () => {
    for (const origin of [
      "http://evil.example",
      "null",
      `http://localhost:${Number(address.port) + 1}`,
      "http://127.0.0.1",
    ]) {
      expect([origin, (await ask("/", { headers: { origin } })).status]).toEqual([origin, 403]);
    }
    expect((await ask("/", { method: "POST" })).status).toBe(405);
    for (const path of ["/../package.json", "/index.html", "/main.tsx", "/socket"]) {
      expect([path, (await ask(path)).status >= 400]).toEqual([path, true]);
    }
  });

  test("come with headers that let the page load and call nothing else", async () => {
    const { headers } = await ask("/");
    const policy = Object.fromEntries(
      (headers.get("content-security-policy") ?? "").split("; ").map((rule) => [rule.split(" ")[0], rule]),
    );
    expect(policy["default-src"]).toBe("default-src 'none'");
    expect(policy["script-src"]).toBe("script-src 'self'");
    expect(policy["style-src"]).toBe("style-src 'self'");
    expect(policy["connect-src"]).toBe(`connect-src 'self' ws://${address.host}`);
    expect(policy["frame-ancestors"]).toBe("frame-ancestors 'none'");
    expect(Object.values(policy).join()).not.toContain("unsafe");
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    expect(headers.get("set-cookie")).toBeNull();
  });

  test("have no script or style written into the page, and name no other place", async () => {
    const html = await (await ask("/")).text();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/);
    const paths = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  });

  test("are less than 250 kB together, packed", async () => {
    const sizes = [...(await loadPage()).values()].map(({ body }) => gzipSync(body).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });
});

describe("the socket", () => {
  test("is not opened for other pages, nor for what names none", async () => {
    const port = Number(address.port);
    const others = [
      { origin: "http://evil.example" },
      { origin: `http://127.0.0.1:${port + 1}` },
      { origin: "null" },
      {},
    ];
    for (const headers of others) {
      const upgrade = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
      const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
      expect((await ask("/socket", { headers: { ...upgrade, ...key, ...headers } })).status).toBe(403);
    }
  });

  test("hears nothing from who does not say who it is, or says something wrong", async () => {
    for (const hello of [
      { hello: { token: "wrong" } },
      { hello: {} },
      { id: 1, method: "tree.follow", params: {} },
      "{",
    ]) {
      const { closed, heard } = await openSocket(hello);
      expect(await closed).toBe(1008);
      expect(heard).toEqual([{ refused: expect.stringContaining("deskmap inspect") }]);
    }
    expect(host.calls).toEqual([]);
  });

  test("lets in one page by the link, gives it a secret to come back with, and nobody else by the link", async () => {
    const first = await openSocket({ hello: { token: token() } });
    const { welcome } = await first.find((message) => "welcome" in message);
    expect(welcome).toMatchObject({ version: "1.2.3", title: expect.stringMatching(/^Deskmap inspector \w{4}$/) });
    const { session } = welcome as { session: string };
    expect(session).toMatch(/^[\w-]{43}$/);
    expect(session).not.toBe(token());
    expect(server.entry.token).toBeUndefined();

    const second = await openSocket({ hello: { token: token() } });
    expect(await second.closed).toBe(1008);
    const again = await openSocket({ hello: { session, token: token() } });
    await again.find((message) => "welcome" in message);

    first.socket.send(JSON.stringify({ id: 7, method: "tree.follow", params: { isWhole: false } }));
    expect(await first.find(({ id }) => id === 7)).toEqual({ id: 7, ok: true, value: null });
    expect(await first.find(({ event }) => event === "tree.lines")).toMatchObject({
      data: [{ kind: "start" }, { kind: "token" }],
    });
    expect(await first.find(({ event }) => event === "shell.host")).toMatchObject({ data: { state: "open" } });

    first.socket.send(JSON.stringify({ id: 8, method: "tree.follow", params: { isWhole: "yes" } }));
    expect(await first.find(({ id }) => id === 8)).toMatchObject({ ok: false, failure: { code: "USAGE" } });
    first.socket.send(JSON.stringify({ id: 9, method: "toString", params: {} }));
    expect(await first.find(({ id }) => id === 9)).toMatchObject({ ok: false, failure: { code: "USAGE" } });
    first.socket.close();
    again.socket.close();
  });
});
