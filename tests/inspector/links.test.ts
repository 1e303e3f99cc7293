import { describe, expect, test } from "bun:test";
import { DaemonLost } from "../../src/client/connection.ts";
import type { HostState } from "../../src/inspector/messages.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { KeptHost } from "../../src/server/inspector/keep-host.ts";
import { Rpc, type WireEvents } from "../../web/rpc.ts";
import { type FakeHost, makeFakeHost } from "./fake-host.ts";

describe("the host that is kept", () => {
  test("is opened again when it is lost, and everybody is told how it stands", async () => {
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

  test("is tried until it is there; what is asked meanwhile fails, and says why", async () => {
    const failure = { code: "UNAVAILABLE" as const, message: "no daemon", done: nothingDone };
    const answers: Result<FakeHost>[] = [fail(failure), fail(failure), succeed(makeFakeHost())];
    const kept = new KeptHost(async () => answers.shift() ?? fail(failure));
    const reply = await kept.call({ tool: "list", input: {}, formats: ["json"] });
    expect([reply.failure?.message, kept.state]).toEqual(["no daemon", { state: "lost", reason: "no daemon" }]);
    await kept.start();
    expect(kept.state).toEqual({ state: "open" });
  });

  test("turns a call that was under way when it was lost into a failure", async () => {
    const host = { ...makeFakeHost(), call: () => Promise.reject(new DaemonLost("gone")) };
    const kept = new KeptHost(async () => succeed(host));
    const { failure } = await kept.call({ tool: "list", input: {}, formats: ["json"] });
    expect(failure).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("gone") });
  });
});

describe("the page's link", () => {
  function openPage(session?: string) {
    const sent: Record<string, unknown>[] = [];
    const wires: WireEvents[] = [];
    const keeper = { token: "once" as string | undefined, session };
    const rpc = new Rpc(
      (events) => {
        wires.push(events);
        return { send: (text) => void sent.push(JSON.parse(text)) };
      },
      {
        takeToken: () => {
          const { token } = keeper;
          keeper.token = undefined;
          return token;
        },
        get session() {
          return keeper.session;
        },
        set session(value) {
          keeper.session = value;
        },
      },
    );
    const hear = (message: unknown): void => wires.at(-1)?.onMessage(JSON.stringify(message));
    rpc.connect();
    return { rpc, sent, wires, keeper, hear };
  }
  const welcome = { welcome: { session: "secret", version: "1", title: "Deskmap inspector ab12" } };

  test("gives the token once, keeps the secret for it, and comes back with the secret alone", async () => {
    const { rpc, sent, wires, keeper, hear } = openPage();
    wires[0]?.onOpen();
    hear(welcome);
    expect([rpc.link.value.state, keeper.session, rpc.title.value]).toEqual([
      "open",
      "secret",
      "Deskmap inspector ab12",
    ]);
    const isBack = Promise.withResolvers<void>();
    wires[0]?.onClose();
    expect(rpc.link.value).toEqual({ state: "lost" });
    const waiting = setInterval(() => wires.length > 1 && isBack.resolve(), 5);
    await isBack.promise;
    clearInterval(waiting);
    wires[1]?.onOpen();
    expect(sent).toEqual([{ hello: { token: "once" } }, { hello: { session: "secret" } }]);
  });

  test("answers by their numbers, in whatever order; what is under way when it is lost fails", async () => {
    const { rpc, sent, wires, hear } = openPage();
    expect(await rpc.call("tree.follow", { isWhole: false })).toMatchObject({ ok: false });
    wires[0]?.onOpen();
    hear(welcome);
    const calls = [rpc.call("tree.follow", { isWhole: false }), rpc.call("tree.follow", { isWhole: true })];
    const lost = rpc.call("screen.picture", { scale: 1 });
    const [, first, second] = sent.map(({ id }) => id);
    hear({ id: second, ok: false, failure: { code: "FAILED", message: "no", done: "" } });
    hear({ id: first, ok: true, value: null });
    expect(await Promise.all(calls)).toMatchObject([{ ok: true }, { ok: false }]);
    wires[0]?.onClose();
    expect(await lost).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
  });

  test("gives events to who listens, and a picture to who takes it, once", async () => {
    const { rpc, wires, hear } = openPage();
    wires[0]?.onOpen();
    hear(welcome);
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

  test("that is refused is not tried again", () => {
    const { rpc, wires, hear } = openPage();
    wires[0]?.onOpen();
    hear({ refused: "used before" });
    wires[0]?.onClose();
    expect(rpc.link.value).toEqual({ state: "refused", why: "used before" });
  });
});
