import { expect, test } from "bun:test";
import { HeldTurns } from "../../src/host/held-turns.ts";
import type { Result } from "../../src/model/failure.ts";

// Turns without a desktop: who may do what when, and what ends a turn.

interface Scene {
  readonly turns: HeldTurns<string>;
  readonly events: string[];
  readonly cutting: AbortController;
  begin(forMs: number, owner?: object): Promise<string>;
  /** Work that is in progress until it is aborted or released. */
  act(
    turn: string,
    name: string,
    signal?: AbortSignal,
    connection?: object,
  ): { readonly done: Promise<string>; letGo(): void };
}

function openTurns(): Scene {
  const turns = new HeldTurns<string>();
  const events: string[] = [];
  const cutting = new AbortController();
  const session = {
    async hold<T>(_tool: string, work: (held: string) => Promise<Result<T>>): Promise<Result<T>> {
      events.push("held");
      const done = await work("held");
      events.push("free");
      return done;
    },
    interrupted: new Promise<unknown>(() => {}),
    close: () => {},
  };
  return {
    turns,
    events,
    cutting,
    async begin(forMs, owner) {
      const cut = (): void => cutting.abort();
      const begun = await turns.begin(session, { forMs, client: "test", owner, abort: cut });
      return begun.ok ? begun.value.turn : "";
    },
    act(turn, name, signal, connection = user.connection) {
      const ending = Promise.withResolvers<void>();
      cutting.signal.addEventListener("abort", () => ending.resolve());
      const work = async (): Promise<string> => {
        events.push(`${name} begins`);
        await ending.promise;
        events.push(cutting.signal.aborted ? `${name} is cut` : `${name} is done`);
        return name;
      };
      const done = turns
        .within(turn, { ...user, connection }, work, signal)
        .then((result) => (result.ok ? "ok" : result.failure.message));
      return { done, letGo: () => ending.resolve() };
    },
  };
}

/** Turns that no connection owns are their client's. */
const user = { client: "test", connection: {} };

const settle = (): Promise<void> => Bun.sleep(1);

test("an expired turn ends the actions running in it", async () => {
  const { events, begin, act, turns } = openTurns();
  const turn = await begin(20);
  expect(await act(turn, "typing").done).toBe("ok");
  await settle();
  expect(events).toEqual(["held", "typing begins", "typing is cut", "free"]);
  expect(turns.findEnd(turn, user)?.message).toContain("its time was up");
});

test("work that its holder left running is ended when the time is up", async () => {
  const { events, begin, act, turns } = openTurns();
  const turn = await begin(30);
  const typing = act(turn, "typing");
  await settle();
  expect(turns.end(turn, user).ok).toBe(true);
  await settle();
  expect(events).toEqual(["held", "typing begins"]);
  await typing.done;
  await settle();
  expect(events.slice(2)).toEqual(["typing is cut", "free"]);
});

test("a lost connection, and a daemon that exits, end the actions in their turns", async () => {
  const owner = {};
  for (const end of [
    (turns: HeldTurns<string>) => turns.endOf(owner),
    (turns: HeldTurns<string>) => turns.endAll("bye"),
  ]) {
    const { events, begin, act, turns } = openTurns();
    const turn = await begin(60_000, owner);
    const typing = act(turn, "typing", undefined, owner);
    await settle();
    end(turns);
    await typing.done;
    await settle();
    expect(events).toEqual(["held", "typing begins", "typing is cut", "free"]);
  }
});

test("a turn that ends with a connection is used and ended by no other, not even of the same client", async () => {
  const { events, begin, act, turns } = openTurns();
  const owner = {};
  const turn = await begin(60_000, owner);
  const other = { client: user.client, connection: {} };
  expect(await act(turn, "stolen", undefined, other.connection).done).toBe("this turn is another client's");
  expect(turns.findEnd(turn, other)?.reason).toBe("turn");
  expect(turns.end(turn, other).ok).toBe(false);
  expect(turns.findEnd(turn, { ...other, connection: owner })).toBeUndefined();
  turns.endOf(owner);
  await settle();
  expect(events).toEqual(["held", "free"]);
});

test("a client that leaves while waiting is only not served; the running one continues, and so does the turn", async () => {
  const { events, begin, act } = openTurns();
  const turn = await begin(60_000);
  const first = act(turn, "first");
  const abort = new AbortController();
  const second = act(turn, "second", abort.signal);
  const third = act(turn, "third");
  await settle();
  abort.abort();
  expect(await second.done).toContain("the client cancelled it");
  await settle();
  // The third still waits for the first.
  expect(events).toEqual(["held", "first begins"]);
  first.letGo();
  third.letGo();
  expect([await first.done, await third.done]).toEqual(["ok", "ok"]);
  expect(events).toEqual(["held", "first begins", "first is done", "third begins", "third is done"]);
});

test("a client that leaves in the middle of an action ends it and the turn", async () => {
  const { events, begin, act, turns } = openTurns();
  const turn = await begin(60_000);
  const abort = new AbortController();
  const typing = act(turn, "typing", abort.signal);
  await settle();
  abort.abort();
  await typing.done;
  await settle();
  expect(events).toEqual(["held", "typing begins", "typing is cut", "free"]);
  expect(turns.findEnd(turn, user)?.message).toContain("left in the middle");
});

test("setting the clock neither ends a turn nor prolongs it", async () => {
  const { begin, act, turns } = openTurns();
  const turn = await begin(50);
  const now = Date.now;
  try {
    Date.now = () => now() + 3_600_000;
    const one = act(turn, "one");
    one.letGo();
    expect(await one.done).toBe("ok");
    Date.now = () => now() - 3_600_000;
    // A process that was suspended handles a request before its timers.
    Bun.sleepSync(60);
    expect(await act(turn, "late").done).toContain("its time was up");
  } finally {
    Date.now = now;
  }
  expect(turns.list()).toEqual([]);
});
