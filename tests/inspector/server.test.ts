import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as z from "zod/mini";
import { writeProof } from "../../src/inspector/proof.ts";
import { Entry } from "../../src/server/inspector/entry.ts";
import { type InspectorServer, loadPage, serveInspector } from "../../src/server/inspector/http.ts";
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

/** A socket as a browser opens it, with the messages it receives. */
async function openSocket(hello: unknown, headers: Record<string, string> = { origin: address.origin }) {
  const heard: Record<string, unknown>[] = [];
  const closed = Promise.withResolvers<number>();
  let wake = Promise.withResolvers<void>();
  // Bun's client accepts custom headers; browsers send their own.
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

const nonce = "a".repeat(32);
const serverProof = z.object({ by: z.enum(["link", "session"]), nonce: z.string(), mac: z.string() });

/** Authenticates as a page that knows a key; returns the resulting session. */
async function enter(key: string) {
  const opened = await openSocket({ hello: { nonce } });
  const said = serverProof.parse((await opened.find((message) => "proof" in message)).proof);
  const hash = (purpose: "server" | "page" | "session"): string =>
    createHmac("sha256", key)
      .update(writeProof(purpose, { page: nonce, server: said.nonce }))
      .digest("hex");
  const isRight = said.mac === hash("server");
  opened.socket.send(JSON.stringify({ proof: hash("page") }));
  return { ...opened, by: said.by, isRight, session: hash("session") };
}

describe("the page's files", () => {
  test("are served only under this machine's own names", async () => {
    expect((await ask("/")).status).toBe(200);
    const { port } = address;
    for (const host of [`evil.example:${port}`, `127.0.0.1.evil.example:${port}`, "127.0.0.1:1", "localhost"]) {
      expect([host, (await ask("/", { headers: { host } })).status]).toEqual([host, 403]);
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect([host, (await ask("/", { headers: { host } })).status]).toEqual([host, 200]);
    }
  });

  test("no other way to write them is taken, and none makes the server report a fault of its own", async () => {
    const { port } = address;
    for (const host of [
      ...[`evil.example@127.0.0.1:${port}`, `127.1:${port}`, `2130706433:${port}`, `0x7f.1:${port}`],
      ...[`127.0.0.1:${port}/; script-src *`, `127.0.0.1:${port}?x`, `127.0.0.1:${port}#x`, `localhost.:${port}`],
    ]) {
      const headers = { host, origin: `http://${host}` };
      expect([host, (await ask("/", { headers })).status]).toEqual([host, 403]);
      expect([host, (await ask("/socket", { headers })).status]).toEqual([host, 403]);
    }
  });

  test("are not served to other origins, methods or paths", async () => {
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

  test("have headers that let the page load and call nothing else", async () => {
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

  test("have no inline script or style, and name no other origin", async () => {
    const html = await (await ask("/")).text();
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=|https?:/);
    const paths = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  });

  test("are less than 250 kB together, compressed", async () => {
    const sizes = [...(await loadPage()).values()].map(({ body }) => gzipSync(body).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });
});

describe("the socket", () => {
  test("is not opened for other origins, nor without one", async () => {
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

  test("rejects clients that do not identify themselves, or do so wrongly", async () => {
    for (const hello of [
      { hello: { nonce: "short" } },
      { hello: {} },
      { id: 1, method: "tree.follow", params: {} },
      { hello: { nonce }, more: "x".repeat(4096) },
      "{",
    ]) {
      const { closed, heard } = await openSocket(hello);
      expect(await closed).toBe(1008);
      expect(heard).toEqual([{ refused: expect.stringContaining("deskmap inspect") }]);
    }
    const wrong = await enter("wrong");
    expect([wrong.isRight, await wrong.closed]).toEqual([false, 1008]);
    expect(host.calls).toEqual([]);
    expect(server.entry.token).toBe(token());
  });

  test("keeps eight unauthenticated clients; the oldest makes room", async () => {
    const opened = [];
    for (let count = 0; count < 10; count += 1) {
      const one = await openSocket({ hello: { nonce } });
      await one.find((message) => "proof" in message);
      opened.push(one);
    }
    expect(await Promise.all(opened.slice(0, 2).map(({ closed }) => closed))).toEqual([1008, 1008]);
    // Not because they said nothing for ten seconds, which ends the others a moment later.
    for (const { heard } of opened.slice(0, 2)) {
      expect(heard.at(-1)).toEqual({ refused: expect.stringContaining("deskmap inspect") });
    }
    expect(opened.slice(2).map(({ socket }) => socket.readyState)).toEqual(Array(8).fill(WebSocket.OPEN));
    for (const { socket } of opened) socket.close();
    await Promise.all(opened.map(({ closed }) => closed));
  });

  test("admits one page by the link, which returns by the derived session, and no one else by the link", async () => {
    const first = await enter(token());
    const { welcome } = await first.find((message) => "welcome" in message);
    expect(welcome).toEqual({ version: "1.2.3", title: expect.stringMatching(/^Deskmap inspector [0-9a-f]{16}$/) });
    expect([first.by, first.isRight, server.entry.token]).toEqual(["link", true, undefined]);
    expect(JSON.stringify(first.heard)).not.toContain(first.session);

    const second = await enter(token());
    expect([second.isRight, await second.closed]).toEqual([false, 1008]);
    const again = await enter(first.session);
    await again.find((message) => "welcome" in message);
    expect([again.by, again.isRight]).toEqual(["session", true]);

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
    await limitRequests(again);
    again.socket.close();
  });
});

/** Sixteen at once; a cancelled request, and all requests of a closed page, are aborted where they run. */
async function limitRequests({ socket, find, closed }: Awaited<ReturnType<typeof enter>>): Promise<void> {
  const signals: AbortSignal[] = [];
  const call = spyOn(host, "call").mockImplementation((_request, options) => {
    const { signal = new AbortController().signal } = options ?? {};
    signals.push(signal);
    return new Promise((resolve) => {
      const ended = { code: "FAILED" as const, message: "ended", done: "" };
      const end = (): void => resolve({ outputs: {}, failure: ended, exitCode: 1, warnings: [] });
      signal.addEventListener("abort", end);
    });
  });
  for (let id = 100; id < 117; id += 1) {
    socket.send(JSON.stringify({ id, method: "element.try", params: { mark: 1, tool: "click" } }));
  }
  expect(await find(({ id }) => id === 116)).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
  expect(signals.map(({ aborted }) => aborted)).toEqual(Array(16).fill(false));
  socket.send(JSON.stringify({ cancel: 103 }));
  expect(await find(({ id }) => id === 103)).toMatchObject({ ok: false, failure: { message: "ended" } });
  expect(signals.filter(({ aborted }) => aborted).length).toBe(1);
  const last = signals.at(-1);
  const ended = new Promise<void>((resolve) => last?.addEventListener("abort", () => resolve()));
  socket.close();
  await Promise.all([closed, ended]);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
  call.mockRestore();
}

test("a session ends when no page has been connected for a while", async () => {
  const entry = new Entry(1);
  const link = entry.token ?? "";
  const challenge = entry.challenge(nonce);
  if (challenge === undefined) throw new Error("no challenge");
  const proof = createHmac("sha256", link).update(writeProof("page", challenge.nonces)).digest("hex");
  expect(entry.accept(challenge, `${proof.slice(1)}0`)).toBe(false);
  expect(entry.accept(challenge, proof)).toBe(true);
  // The link does not work a second time.
  expect(entry.accept(challenge, proof)).toBe(false);
  const leave = [entry.enter(), entry.enter()];
  leave[0]?.();
  expect(entry.challenge(nonce)?.said.by).toBe("session");
  leave[1]?.();
  while (entry.challenge(nonce) !== undefined) await Bun.sleep(1);
});
