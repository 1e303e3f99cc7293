import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import * as z from "zod/mini";
import { DaemonLost } from "../../src/client/connection.ts";
import type { HostState } from "../../src/inspector/messages.ts";
import { writeProof } from "../../src/inspector/proof.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { KeptHost } from "../../src/server/inspector/keep-host.ts";
import { Rpc, type WireEvents } from "../../web/rpc.ts";
import { type FakeHost, makeFakeHost } from "./fake-host.ts";

describe("the persistent host", () => {
  test("is reopened when it is lost, and everyone is notified of its state", async () => {
    const hosts = [makeFakeHost(), makeFakeHost()];
    const open = hosts.values();
    const kept = new KeptHost(async () => succeed(open.next().value ?? makeFakeHost()));
    const states: HostState[] = [];
    const isBack = Promise.withResolvers<void>();
    kept.onState((state) => {
      states.push(state);
      if (states.filter((one) => one.state === "open").length === 2) isBack.resolve();
    });
    await kept.start();
    hosts[0]?.lose("it was ended");
    await isBack.promise;
    expect(states).toEqual([
      { state: "open" },
      { state: "lost", reason: "it was ended" },
      { state: "connecting" },
      { state: "open" },
    ]);
    await kept.call({ tool: "list", input: {}, formats: ["json"] });
    expect(hosts.map((one) => one.calls.length)).toEqual([0, 1]);
  });

  test("is retried until it is there; calls meanwhile fail, and say why", async () => {
    const failure = { code: "UNAVAILABLE" as const, message: "no daemon", done: nothingDone };
    const answers: Result<FakeHost>[] = [fail(failure), fail(failure), succeed(makeFakeHost())];
    const kept = new KeptHost(async () => answers.shift() ?? fail(failure));
    const reply = await kept.call({ tool: "list", input: {}, formats: ["json"] });
    expect([reply.failure?.message, kept.state]).toEqual(["no daemon", { state: "lost", reason: "no daemon" }]);
    await kept.start();
    expect(kept.state).toEqual({ state: "open" });
  });

  test("turns a call that was running when it was lost into a failure", async () => {
    const host = { ...makeFakeHost(), call: () => Promise.reject(new DaemonLost("gone")) };
    const kept = new KeptHost(async () => succeed(host));
    const { failure } = await kept.call({ tool: "list", input: {}, formats: ["json"] });
    expect(failure).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("gone") });
  });

  test("does not claim that nothing was done if something may have been", async () => {
    const host = { ...makeFakeHost(), call: () => Promise.reject(new DaemonLost("gone")) };
    const kept = new KeptHost(async () => succeed(host));
    const told = await Promise.all(["list", "click"].map((tool) => kept.call({ tool, input: {}, formats: ["json"] })));
    expect(told.map(({ failure }) => failure?.done)).toEqual(["nothing was done.", "a part of it may have been done."]);
  });
});

describe("the page's link", () => {
  /** A page, and a server that knows this link and this session. */
  function openPage({ link = "once", session = undefined as string | undefined, patienceMs = 10_000 } = {}) {
    const sent: Record<string, unknown>[] = [];
    const wires: (WireEvents & { isClosed: boolean })[] = [];
    const keeper = { link: link === "" ? undefined : link, session };
    let wake = Promise.withResolvers<void>();
    const note = (): void => {
      wake.resolve();
      wake = Promise.withResolvers();
    };
    const open = (events: WireEvents) => {
      const wire = { ...events, isClosed: false };
      wires.push(wire);
      note();
      return {
        send(text: string) {
          sent.push(JSON.parse(text));
          note();
        },
        close() {
          wire.isClosed = true;
          note();
        },
      };
    };
    const rpc = new Rpc(open, keeper, patienceMs);
    rpc.link.subscribe(note);
    const hear = (message: unknown): void => wires.at(-1)?.onMessage(JSON.stringify(message));
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await wake.promise;
    };
    /** The reply of a server that knows this key to the newest hello, and the proof that the page must answer with. */
    const challenge = (by: "link" | "session", key: string, server = "5".repeat(32)) => {
      const { nonce: page } = z.object({ nonce: z.string() }).parse(sent.at(-1)?.hello);
      const hash = (purpose: "server" | "page" | "session"): string =>
        createHmac("sha256", key).update(writeProof(purpose, { page, server })).digest("hex");
      hear({ proof: { by, nonce: server, mac: hash("server") } });
      return { proof: hash("page"), session: hash("session") };
    };
    const enter = async (): Promise<void> => {
      wires.at(-1)?.onOpen();
      challenge("link", link);
      await until(() => sent.length === 2);
      hear(welcome);
      sent.length = 0;
    };
    rpc.connect();
    return { rpc, sent, wires, keeper, hear, until, challenge, enter };
  }
  const welcome = { welcome: { version: "1", title: "Deskmap inspector ab12" } };

  test("sends neither the link's key nor the session's, and reconnects with the derived one", async () => {
    const { rpc, sent, wires, keeper, hear, until, challenge } = openPage();
    wires[0]?.onOpen();
    expect(sent).toEqual([{ hello: { nonce: expect.stringMatching(/^[0-9a-f]{32}$/) } }]);
    const { proof, session } = challenge("link", "once");
    await until(() => sent.length === 2);
    expect(sent[1]).toEqual({ proof });
    // Stored before the server has replied: a reload now must not lock the page out.
    expect(keeper).toEqual({ link: "once", session });
    hear(welcome);
    expect([rpc.link.value.state, keeper, rpc.title.value]).toEqual([
      "open",
      { link: undefined, session },
      "Deskmap inspector ab12",
    ]);
    wires[0]?.onClose();
    expect(rpc.link.value).toEqual({ state: "lost" });
    await until(() => wires.length === 2);
    wires[1]?.onOpen();
    const again = challenge("session", session);
    await until(() => sent.length === 4);
    expect(sent[3]).toEqual({ proof: again.proof });
    expect(JSON.stringify(sent)).not.toContain(session);
  });

  test("reveals nothing to a server that cannot prove that it knows the session, and stores nothing", async () => {
    for (const by of ["link", "session"] as const) {
      const { rpc, sent, wires, keeper, hear, until, challenge } = openPage({ link: "", session: "right" });
      wires[0]?.onOpen();
      // None of this is believed before the proof.
      hear(welcome);
      hear({ event: "shell.host", data: { state: "open" } });
      hear({ refused: "type your PIN" });
      expect(rpc.link.value).toEqual({ state: "connecting" });
      challenge(by, "wrong");
      await until(() => rpc.link.value.state === "refused");
      expect(rpc.link.value).toMatchObject({ why: expect.stringContaining("deskmap inspect") });
      expect([sent.length, keeper, wires[0]?.isClosed]).toEqual([1, { link: undefined, session: undefined }, true]);
      hear(welcome);
      expect(rpc.link.value.state).toBe("refused");
    }
  });

  test("gives up after a while, says what to do, and stores no credential", async () => {
    const { rpc, wires, keeper, until, enter } = openPage({ patienceMs: 20 });
    await enter();
    wires[0]?.onClose();
    await until(() => rpc.link.value.state === "refused");
    expect(rpc.link.value).toMatchObject({ why: expect.stringContaining("has ended") });
    expect(keeper).toEqual({ link: undefined, session: undefined });
  });

  test("sends sixteen requests at once, the others in turn, and cancels unwanted ones", async () => {
    const { rpc, sent, hear, enter } = openPage();
    await enter();
    const unwanted = Array.from({ length: 18 }, () => new AbortController());
    const asked = unwanted.map(({ signal }) => rpc.call("tree.follow", { isWhole: true }, signal));
    expect(sent.map(({ id }) => id)).toEqual(Array.from({ length: 16 }, (_, at) => at + 1));
    unwanted[0]?.abort();
    unwanted[16]?.abort();
    expect(await Promise.all([asked[0], asked[16]])).toMatchObject([{ ok: false }, { ok: false }]);
    expect(sent.slice(16)).toEqual([{ cancel: 1 }]);
    hear({ id: 1, ok: true, value: null });
    expect(sent.slice(17)).toMatchObject([{ id: 18 }]);
  });

  test("matches answers by number, in any order; running requests fail when it is lost", async () => {
    const { rpc, sent, wires, hear, enter } = openPage();
    expect(await rpc.call("tree.follow", { isWhole: false })).toMatchObject({ ok: false });
    await enter();
    const calls = [rpc.call("tree.follow", { isWhole: false }), rpc.call("tree.follow", { isWhole: true })];
    const lost = rpc.call("screen.picture", { scale: 1 });
    const [first, second] = sent.map(({ id }) => id);
    hear({ id: second, ok: false, failure: { code: "FAILED", message: "no", done: "" } });
    hear({ id: first, ok: true, value: null });
    expect(await Promise.all(calls)).toMatchObject([{ ok: true }, { ok: false }]);
    wires[0]?.onClose();
    expect(await lost).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
  });

  test("gives events to listeners, and a picture to its taker, once", async () => {
    const { rpc, wires, hear, enter } = openPage();
    await enter();
    const heard: string[] = [];
    const release = rpc.on("tree.trouble", ({ message }) => heard.push(message));
    hear({ event: "tree.trouble", data: { message: "one" } });
    release();
    hear({ event: "tree.trouble", data: { message: "two" } });
    expect(heard).toEqual(["one"]);
    wires[0]?.onMessage(new Uint8Array([0, 0, 1, 2, 9, 8, 7]).buffer);
    expect([...new Uint8Array((await rpc.takePicture(258)?.arrayBuffer()) ?? new ArrayBuffer())]).toEqual([9, 8, 7]);
    expect(rpc.takePicture(258)).toBeUndefined();
  });

  test("that is refused is not retried", async () => {
    const { rpc, sent, wires, hear, until, challenge } = openPage();
    wires[0]?.onOpen();
    challenge("link", "once");
    await until(() => sent.length === 2);
    hear({ refused: "used before" });
    wires[0]?.onClose();
    expect(rpc.link.value).toEqual({ state: "refused", why: "used before" });
  });
});
