import { expect, test } from "bun:test";
import type { Listened } from "../../src/host/port.ts";
import { Ring } from "../../src/host/ring.ts";
import { fail, makeFailure, type Result, succeed } from "../../src/model/failure.ts";
import { makeAction } from "../demo/actions.ts";
import { openDaemonScene } from "./daemon-scene.ts";

/** A person who is listened to, for tests that tell what comes and when. */
class Person {
  private waiting = Promise.withResolvers<Result<Listened> | undefined>();
  private readonly came: (Result<Listened> | undefined)[] = [];
  isListenedTo = false;

  say(one: Result<Listened> | undefined): void {
    this.came.push(one);
    this.waiting.resolve(undefined);
  }

  act(atMs: number): void {
    this.say(succeed({ of: "step", step: makeAction({ atMs, by: "person" }) }));
  }

  async *listen(signal: AbortSignal): AsyncIterable<Result<Listened>> {
    this.isListenedTo = true;
    signal.addEventListener("abort", () => this.say(undefined), { once: true });
    try {
      for (;;) {
        const one = this.came.shift();
        if (one !== undefined) yield one;
        else if (signal.aborted) return;
        else {
          this.waiting = Promise.withResolvers();
          await this.waiting.promise;
        }
        if (one?.ok === false) return;
      }
    } finally {
      this.isListenedTo = false;
    }
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function begin(nowMs: () => number, minutes = 5) {
  const [ring, person] = [new Ring(nowMs), new Person()];
  person.say(succeed({ of: "begun" }));
  expect(await ring.begin(minutes, (signal) => person.listen(signal))).toMatchObject({
    ok: true,
    value: { isOn: true },
  });
  return { ring, person };
}

test("it holds the last minutes, says how much that is, and forgets what is older", async () => {
  let nowMs = 1_000_000;
  const { ring, person } = await begin(() => nowMs);
  for (const atMs of [1_000_000, 1_060_000, 1_120_000]) person.act(atMs);
  await settle();
  nowMs = 1_120_000;
  expect(ring.state).toEqual({ isOn: true, minutes: 5, steps: 3, sinceMs: 1_000_000, oldestMs: 1_000_000 });
  expect(ring.list(1_060_000)).toHaveLength(2);
  nowMs = 1_000_000 + 5 * 60_000 + 60_001;
  expect(ring.list().map(({ atMs }) => atMs)).toEqual([1_120_000]);
  nowMs += 600_000;
  expect(ring.state).toMatchObject({ isOn: true, steps: 0 });
  await ring.end();
});

test("switched off, nobody is listened to and nothing is left, also of what comes late", async () => {
  const { ring, person } = await begin(() => 1000);
  person.act(1000);
  await settle();
  expect(ring.state.steps).toBe(1);
  person.act(1000);
  await ring.end();
  expect(person.isListenedTo).toBe(false);
  expect([ring.state, ring.list()]).toEqual([{ isOn: false, minutes: 0, steps: 0, ended: "it was switched off" }, []]);
  // It can be switched on again at once, and begins with nothing.
  person.say(succeed({ of: "begun" }));
  expect(await ring.begin(1, (signal) => person.listen(signal))).toMatchObject({ ok: true, value: { steps: 0 } });
  expect(await ring.begin(1, (signal) => person.listen(signal))).toMatchObject({
    ok: false,
    failure: { code: "USAGE" },
  });
  await ring.end();
});

test("a stop ends it, and everything is forgotten", async () => {
  const { ring, person } = await begin(() => 1000);
  person.act(1000);
  person.say(fail(makeFailure("REFUSED", "a person stopped everything")));
  await settle();
  await settle();
  expect(ring.state).toEqual({ isOn: false, minutes: 0, steps: 0, ended: "a person stopped everything" });
});

test("what refuses to listen is told, and it stays off", async () => {
  const [ring, person] = [new Ring(), new Person()];
  person.say(fail(makeFailure("REFUSED", "nobody typed it")));
  expect(await ring.begin(5, (signal) => person.listen(signal))).toMatchObject({
    ok: false,
    failure: { message: "nobody typed it" },
  });
  expect(ring.state).toMatchObject({ isOn: false, steps: 0 });
});

test("a client of the daemon cannot switch it on, whatever it says of a person; it may ask and switch off", async () => {
  const scene = openDaemonScene();
  try {
    const client = await scene.connect();
    for (const isTyped of [true, false]) {
      const refused = await client.ring({ action: "on", isTyped });
      expect(refused).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "unasked" } });
    }
    expect(await client.ring({ action: "on", minutes: 61, isTyped: true })).toMatchObject({
      ok: false,
      failure: { code: "USAGE" },
    });
    expect(await client.ring({ action: "status" })).toMatchObject({ ok: true, value: { isOn: false } });
    expect(await client.ring({ action: "off" })).toMatchObject({ ok: true, value: { isOn: false } });
    // Without a ring there is nothing to be asked about.
    expect(await client.recall({ withPerson: true })).toEqual({ ok: true, value: [] });
    await client.close();
  } finally {
    await scene.close();
  }
});
