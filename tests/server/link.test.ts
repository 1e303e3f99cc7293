import { expect, test } from "bun:test";
import { type ClientFrame, parseClientFrame } from "../../src/client/client-frame.ts";
import { encodeFrame } from "../../src/client/protocol.ts";
import type { CallReply, Host } from "../../src/host/port.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { fail, nothingDone, succeed } from "../../src/model/failure.ts";
import { ClientLink } from "../../src/server/daemon/link.ts";
import { waitFor } from "../wait.ts";
import { introduce } from "./daemon-scene.ts";

// One client's connection, with a socket that accepts as much as the test lets it.

function makeHost(own: Partial<Host>): Host {
  const refused = fail<never>({ code: "FAILED", message: "this test does not", done: nothingDone });
  return {
    call: async (): Promise<CallReply> => ({ outputs: {}, exitCode: 0, warnings: [] }),
    async *watch() {},
    async *observe() {},
    async *listen() {},
    async *send() {},
    recall: async () => refused,
    ring: async () => refused,
    begin: async () => refused,
    end: async () => refused,
    close: async () => {},
    ...own,
  };
}

function openLink(host: Host, onRequest: () => void = () => {}, onText: (text: string) => void = () => {}) {
  let [room, taken, isEnded, isPaused] = [0, 0, false, false];
  const socket = {
    write(bytes: Uint8Array) {
      const sent = Math.min(room, bytes.length);
      room -= sent;
      taken += sent;
      onText(Buffer.from(bytes.subarray(0, sent)).toString("utf8"));
      return sent;
    },
    end: () => {
      isEnded = true;
    },
    terminate: () => {
      isEnded = true;
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
  };
  const words: string[] = [];
  const daemon = {
    build: introduce().build,
    openHost: () => host,
    answer: () => ({ of: "leave" }) as const,
    onRequest,
    log: (line: string) => words.push(line),
  };
  const link = new ClientLink(socket, { pid: 1, uid: 0, startTicks: 1 }, daemon);
  const say = (frame: ClientFrame): void => link.take(encodeFrame(frame));
  say({ t: "hello", ...introduce() });
  return {
    link,
    say,
    words,
    read(bytes: number): void {
      room += bytes;
      link.drain();
    },
    get taken() {
      return taken;
    },
    get isEnded() {
      return isEnded;
    },
    get isPaused() {
      return isPaused;
    },
  };
}

const line: ChangeLine = { kind: "note", window: 1, code: "FAILED", text: "x".repeat(1000) };

test("a client that never reads is sent no more changes than fit, and is dropped after half a minute", async () => {
  let made = 0;
  let isOver = false;
  const host = makeHost({
    async *watch() {
      try {
        for (; made < 100_000; made += 1) yield succeed(Array.from({ length: 100 }, () => line));
      } finally {
        isOver = true;
      }
    },
  });
  const open = openLink(host);
  open.say({ t: "watch", id: 1, request: { input: {} } });
  await Bun.sleep(20);
  // A batch is 100 kB: a few fit into its buffer.
  expect(made).toBeLessThan(5);
  // A client that reads again gets the current state: the next batches are computed only now.
  open.read(64 << 20);
  await Bun.sleep(20);
  expect(made).toBeGreaterThan(5);
  const before = made;
  await Bun.sleep(20);
  expect(made - before).toBeLessThan(5);
  const nowMs = Date.now();
  for (const afterMs of [0, 20_000, 29_000]) open.link.examine(nowMs + afterMs);
  expect(open.isEnded).toBe(false);
  open.link.examine(nowMs + 31_000);
  expect(open.isEnded).toBe(true);
  open.link.forget();
  await Bun.sleep(5);
  expect(isOver).toBe(true);
});

test("no call is started for a client with megabytes to read first", async () => {
  let calls = 0;
  const host = makeHost({
    call: async () => {
      calls += 1;
      return { outputs: { json: "x".repeat(3 << 20) }, exitCode: 0, warnings: [] };
    },
  });
  const open = openLink(host);
  for (let id = 1; id <= 60; id += 1) {
    open.say({ t: "call", id, request: { tool: "read", input: {}, formats: ["json"] } });
  }
  await Bun.sleep(20);
  expect(calls).toBeLessThanOrEqual(10);
  for (let round = 0; round < 100 && calls < 60; round += 1) {
    open.read(16 << 20);
    await Bun.sleep(1);
  }
  expect(calls).toBe(60);
});

test("a client that keeps sending without reading is not read from until it reads; then everything is answered", () => {
  let asked = 0;
  const open = openLink(makeHost({}), () => {
    asked += 1;
  });
  const piece = Buffer.concat(Array.from({ length: 1000 }, (_, id) => encodeFrame({ t: "ping", id })));
  for (let round = 0; round < 100; round += 1) open.link.take(piece);
  // 1 MiB of answers, and no more.
  expect(asked).toBeGreaterThan(10_000);
  expect(asked).toBeLessThan(30_000);
  expect(open.isPaused).toBe(true);
  for (let round = 0; round < 100 && open.isPaused; round += 1) open.read(1 << 20);
  expect([open.isPaused, asked]).toEqual([false, 100_000]);
});

test("a client that connects and never identifies itself is dropped after ten seconds", () => {
  const daemon = {
    build: "",
    openHost: () => makeHost({}),
    answer: () => ({ of: "leave" }) as const,
    onRequest: () => {},
    log: () => {},
  };
  let isEnded = false;
  const socket = {
    write: (bytes: Uint8Array) => bytes.length,
    end: () => {
      isEnded = true;
    },
    terminate: () => {},
    pause: () => {},
    resume: () => {},
  };
  const link = new ClientLink(socket, { pid: 1, uid: 0, startTicks: 1 }, daemon);
  for (const atMs of [500, 9500]) link.examine(atMs);
  expect(isEnded).toBe(false);
  link.examine(10_501);
  expect(isEnded).toBe(true);
});

test("a turn granted after its client has gone is given back", async () => {
  const ended: string[] = [];
  const got = Promise.withResolvers<void>();
  const host = makeHost({
    begin: async () => {
      await got.promise;
      return succeed({ turn: "token", untilMs: 0 });
    },
    end: async (turn) => {
      ended.push(turn);
      return succeed(undefined);
    },
  });
  const open = openLink(host);
  open.say({ t: "begin", id: 1, forMs: 1000, isKept: true, waitMs: 1000 });
  open.link.forget();
  got.resolve();
  await Bun.sleep(1);
  expect(ended).toEqual(["token"]);
});

test("a client that is gone ends its requests", async () => {
  const aborted: string[] = [];
  const host = makeHost({
    call: (_request, { signal } = {}) =>
      new Promise((resolve) => {
        signal?.addEventListener("abort", () => {
          aborted.push("call");
          resolve({ outputs: {}, exitCode: 1, warnings: [] });
        });
      }),
    close: async () => {
      aborted.push("turns");
    },
  });
  const open = openLink(host);
  open.say({ t: "call", id: 1, request: { tool: "wait", input: {}, formats: ["json"] } });
  open.link.forget();
  await Bun.sleep(1);
  expect(aborted).toEqual(["call", "turns"]);
});

test.each(["approve", "answer", "testify", "yes"])("no message of the protocol answers for a person: %s", (t) => {
  expect(parseClientFrame(JSON.stringify({ t, id: 1, verdict: "yes", answer: "yes" }))).toBeUndefined();
});

test("a request cannot carry a terminal, a caller or an approval", () => {
  const request = { tool: "click", input: {}, formats: ["json"] };
  const asTyped = (isTyped: unknown) =>
    parseClientFrame(JSON.stringify({ t: "call", id: 1, request: { ...request, isTyped } }));
  expect(asTyped(true)).toBeDefined();
  for (const other of ["/dev/pts/1", 1, { pid: 1 }]) expect(asTyped(other)).toBeUndefined();
});

test("a client observes once, and again after it has ended that", async () => {
  let [open, most] = [0, 0];
  const host = makeHost({
    async *observe(signal) {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      open -= 1;
    },
  });
  const { say, link } = openLink(host);
  for (const id of [1, 2, 3]) say({ t: "observe", id });
  await Bun.sleep(5);
  expect([open, most]).toEqual([1, 1]);
  say({ t: "cancel", id: 1 });
  await Bun.sleep(5);
  say({ t: "observe", id: 4 });
  await Bun.sleep(5);
  expect([open, most]).toEqual([1, 1]);
  link.forget();
});

test("steps that come after a client has ended its listening are still sent, before the answer", async () => {
  const step = (n: number) => succeed({ of: "step", step: makeStep(n) } as const);
  const host = makeHost({
    async *listen(_request, signal) {
      yield succeed({ of: "begun" } as const);
      await waitFor("the cancellation", () => signal.aborted);
      yield step(1);
      yield step(2);
    },
  });
  const sent: string[] = [];
  const open = openLink(host, undefined, (text) => sent.push(text));
  open.read(1 << 20);
  open.say({ t: "listen", id: 1, request: { isTyped: true } });
  open.say({ t: "cancel", id: 1 });
  const read = () =>
    sent
      .join("")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await waitFor("the answer", () => read().some(({ t }) => t === "answer"));
  expect(read().slice(-4)).toMatchObject([
    { t: "listened", listened: { of: "begun" } },
    { t: "listened", listened: { of: "step", step: { n: 1 } } },
    { t: "listened", listened: { of: "step", step: { n: 2 } } },
    { t: "answer", id: 1, answer: { of: "listen" } },
  ]);
});

function makeStep(n: number): RecordedAction {
  return { n, atMs: 0, tookMs: 0, by: "person", client: "test", tool: "click", input: {}, aim: "point" };
}

test("a bug's message, which may quote the screen, is neither logged nor sent", async () => {
  let sent = "";
  const error = new TypeError("the field held hunter2\n    at the bank of hunter2");
  const open = openLink(makeHost({ call: () => Promise.reject(error) }), undefined, (text) => (sent += text));
  open.read(1 << 20);
  open.say({ t: "call", id: 1, request: { tool: "read", input: {}, formats: ["json"] } });
  await waitFor("its end", () => open.isEnded);
  expect(open.words.at(-1)).toMatch(/is left: the daemon itself failed: TypeError at .*link\.test\.ts/);
  expect([...open.words, sent].filter((words) => words.includes("hunter2"))).toEqual([]);
});
