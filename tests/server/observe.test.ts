import { expect, test } from "bun:test";
import { act } from "../../src/desktop/index.ts";
import { LocalHost, share } from "../../src/host/local-host.ts";
import { findRegion } from "../../src/host/observe-here.ts";
import { ActivityQueue, Observers } from "../../src/host/observers.ts";
import type { Activity, Crop } from "../../src/model/activity.ts";
import { noChanges } from "../../src/model/effect.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { openGuard } from "../guard/open-guard.ts";
import { until } from "../guard/terminal-session.ts";
import { makeHome } from "./daemon-scene.ts";
import { openFrozenRuntime } from "./frozen-runtime.ts";

async function* unwrap(stream: AsyncIterable<Result<Activity>>): AsyncGenerator<Activity> {
  for await (const one of stream) if (one.ok) yield one.value;
}

function collect(stream: AsyncIterable<Activity>): { readonly told: Activity[]; readonly ended: Promise<void> } {
  const told: Activity[] = [];
  const read = async (): Promise<void> => {
    for await (const activity of stream) told.push(activity);
  };
  return { told, ended: read() };
}

const begun = (n: number): Activity & { readonly kind: "begun" } => ({
  kind: "begun",
  n,
  atMs: 0,
  client: "test",
  tool: "click",
  words: "click",
  app: "pad",
  window: "Pad",
});
const crop = (n: number): Crop => ({ kind: "crop", n, when: "before", jpeg: "", width: 1, height: 1 });
const where = { x: 10, y: 10, width: 20, height: 20 };
const effect = {
  verdict: "confirmed",
  intent: "click",
  target: { words: "it" },
  way: "action click",
  passedOver: [],
  evidence: ["it was seen"],
  changes: noChanges,
  isDelivered: true,
  isRetrySafe: false,
} as const;

test("an observer is told what a client does, with pictures before and after", async () => {
  const { env, remove } = makeHome();
  const children = [{ role: "button" as const, name: "Add" }];
  const desktop = new FakeDesktop({ applications: [{ name: "pad", windows: [{ title: "Pad", children }] }] });
  // A long limit: no action waits here, and the machine may be busy.
  const observers = new Observers(10_000);
  const shared = { ...share(openFrozenRuntime(desktop)), observers };
  const host = new LocalHost(env, shared);
  const ending = new AbortController();
  const told: Activity[] = [];
  const watching = (async () => {
    for await (const one of host.observe(ending.signal)) {
      if (!one.ok) throw new Error(one.failure.message);
      told.push(one.value);
    }
  })();
  try {
    await until("that it looks on", () => shared.observers.count === 1);
    const guard = openGuard(desktop, { observer: shared.observers });
    const marks = await shared.runtime.openMap(() => {});
    if (!marks.ok) throw new Error(marks.failure.message);
    const order = { kind: "click", button: "left", count: 1 } as const;
    const aim = { by: "words", words: "add" } as const;
    const request = { tool: "click", aim, order, app: "pad", isDryRun: false, timeoutMs: 1000 };
    const done = await act({ platform: desktop.open(), marks: marks.value, guard }, request);
    expect(done.ok).toBe(true);
    await until("both pictures", () => told.filter(({ kind }) => kind === "crop").length === 2);
    expect(told[0]).toMatchObject({ kind: "begun", client: "test", tool: "click", app: "pad", window: "Pad" });
    expect(told[0]).toMatchObject({ role: "button", name: "Add", words: expect.stringContaining('btn "Add"') });
    const crops = told.filter((one): one is Crop => one.kind === "crop");
    expect(crops.map(({ when }) => when).toSorted()).toEqual(["after", "before"]);
    for (const { jpeg, n } of crops) {
      expect(n).toBe(told[0]?.kind === "begun" ? told[0].n : 0);
      expect([...Buffer.from(jpeg, "base64").subarray(0, 2)]).toEqual([0xff, 0xd8]);
    }
    const ended = told.find(({ kind }) => kind === "ended");
    expect(ended).toMatchObject({ verdict: "no-change", way: "pointer" });
  } finally {
    ending.abort();
    await watching;
    remove();
  }
});

test("the beginning and end of an action are sent to every observer, with pictures of the same place", async () => {
  const observers = new Observers();
  const ending = new AbortController();
  const places: unknown[] = [];
  const see = async (place: unknown) => {
    places.push(place);
    return async () => ({ jpeg: "abc", width: 2, height: 3 });
  };
  const streams = [1, 2].map(() => collect(unwrap(observers.observe(see, ending.signal))));
  observers.begin(begun(7), where, await observers.captureBefore(where));
  await until("the first picture", () => streams.every(({ told }) => told.length === 2));
  observers.end(7, succeed(effect));
  await until("both pictures", () => streams.every(({ told }) => told.length === 4));
  for (const { told } of streams) {
    expect(told.map(({ kind }) => kind)).toEqual(["begun", "crop", "ended", "crop"]);
    expect(told[2]).toMatchObject({ n: 7, verdict: "confirmed", way: "action click", evidence: ["it was seen"] });
    expect(told[3]).toMatchObject({ n: 7, when: "after", jpeg: "abc" });
  }
  expect(places).toEqual([where, where, where, where]);
  ending.abort();
  await Promise.all(streams.map(({ ended }) => ended));
  expect(observers.count).toBe(0);
});

test("without an observer, no picture is taken", async () => {
  const observers = new Observers();
  observers.begin(begun(1), where, await observers.captureBefore(where));
  observers.end(1, succeed(effect));
  expect(observers.count).toBe(0);
});

test("an action does not wait for a picture that does not come, and a late one is not shown as before", async () => {
  const observers = new Observers();
  const ending = new AbortController();
  const late = Promise.withResolvers<undefined | (() => Promise<never>)>();
  const { told, ended } = collect(unwrap(observers.observe(() => late.promise, ending.signal)));
  observers.begin(begun(1), where, await observers.captureBefore(where));
  late.resolve(() => Promise.reject(new Error("it is not to be made")));
  await Bun.sleep(0);
  ending.abort();
  await ended;
  expect(told.map(({ kind }) => kind)).toEqual(["begun"]);
});

test("a slow observer loses pictures first, then the oldest events, and is told how many", async () => {
  const queue = new ActivityQueue();
  for (let n = 0; n < 300; n += 1) {
    queue.add(begun(n));
    queue.add(crop(n));
  }
  const ending = new AbortController();
  const { told, ended } = collect(queue.take(ending.signal));
  await until("the last", () => told.at(-1)?.kind === "crop");
  ending.abort();
  await ended;
  expect(told[0]).toEqual({ kind: "lost", count: 400 });
  const crops = told.filter(({ kind }) => kind === "crop");
  expect(crops.length).toBe(8);
  expect(told.length).toBe(201);
  expect(told.filter(({ kind }) => kind === "begun").at(-1)).toEqual(begun(299));
});

test("a picture shows the surroundings of its target, and never less than a readable piece", () => {
  expect(findRegion({ x: 500, y: 300, width: 10, height: 10 })).toEqual({ x: 345, y: 215, width: 320, height: 180 });
  expect(findRegion({ x: 100, y: 100, width: 600, height: 400 })).toEqual({ x: 52, y: 52, width: 696, height: 496 });
});

test("what observers receive is bounded and clean, whatever applications call their controls", async () => {
  const observers = new Observers();
  const ending = new AbortController();
  const { told, ended } = collect(unwrap(observers.observe(async () => undefined, ending.signal)));
  const bad = `\u202e${"x".repeat(20_000)}\n`;
  observers.begin({ ...begun(3), words: bad, app: bad, window: bad, role: bad, name: bad }, where, undefined);
  observers.end(3, fail({ code: "FAILED", message: bad, done: nothingDone }));
  await until("the end", () => told.length >= 2);
  ending.abort();
  await ended;
  expect(told.map(({ kind }) => kind)).toEqual(["begun", "ended"]);
  expect(JSON.stringify(told).length).toBeLessThan(2000);
  expect(JSON.stringify(told)).not.toContain("\u202e");
});

test("there are at most eight observers, and one that does not answer is not asked again and again", async () => {
  const observers = new Observers(1);
  const ending = new AbortController();
  let asked = 0;
  const see = () => {
    asked += 1;
    return Promise.withResolvers<undefined>().promise;
  };
  const first = collect(unwrap(observers.observe(see, ending.signal)));
  for (let at = 0; at < 10; at += 1) await observers.captureBefore(where);
  expect(asked).toBe(2);
  const others = Array.from({ length: 7 }, () =>
    collect(unwrap(observers.observe(async () => undefined, ending.signal))),
  );
  expect(observers.count).toBe(8);
  const ninth = await observers.observe(see, ending.signal).next();
  expect(ninth.value).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
  ending.abort();
  await Promise.all([first, ...others].map((one) => one.ended));
});
