import { describe, expect, test } from "bun:test";
import { Looks } from "../../src/guard/audit/looks.ts";
import { type Policy, type Standing, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { createRedactedView } from "../../src/guard/view/redacted-view.ts";
import { type Bounds, containsPoint } from "../../src/model/bounds.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import { type Result, succeed } from "../../src/model/failure.ts";
import type { Picture } from "../../src/model/frame.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import type { Window } from "../../src/model/window.ts";
import type { Platform } from "../../src/platform/port.ts";
import type { ElementSource, Sign } from "../../src/sources/port.ts";
import { redactSource } from "../../src/sources/redact.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

// A source written to leak: through every field of its tree, unknown fields, texts, glimpses, hit tests, signs and pictures.
// Its secrets must not get through.

const card = "4242 4242 4242 4242";
const password = "hunter2-correct-horse";
const shop = makeWindow({
  id: 1,
  app: "shop",
  aliases: [],
  class: "shop",
  pid: 11,
  bounds: { x: 0, y: 0, width: 60, height: 40 },
});
const vault = makeWindow({
  id: 2,
  app: "vault",
  aliases: [],
  class: "vault",
  pid: 12,
  bounds: { x: 60, y: 0, width: 40, height: 40 },
});
const cardPlace: Bounds = { x: 4, y: 4, width: 20, height: 6 };
const fieldPlace: Bounds = { x: 4, y: 20, width: 20, height: 6 };

const everywhere = {
  platformRole: card,
  name: `pays with ${card}`,
  ownName: card,
  value: card,
  description: card,
  shortcut: card,
  platformId: card,
  url: `https://shop.example/?card=${card}`,
  platformActions: [card, "press"],
  invocations: { press: "press", toggle: card },
};

class Leak implements ElementSource {
  readonly asked: string[] = [];

  readonly card = makeElement({ ...everywhere, role: "text", bounds: cardPlace, handle: "shop/card" });
  /** Claims to be an editable field, and does not claim to be secret. */
  readonly field = makeElement({
    role: "input",
    name: "Password",
    value: password,
    states: new Set(["editable"]),
    bounds: fieldPlace,
    handle: "shop/field",
    children: [makeElement({ role: "text", name: password, handle: "shop/letters" })],
  });
  readonly root = makeElement({
    role: "window",
    name: "Shop",
    handle: "shop/root",
    children: [
      this.card,
      this.field,
      Object.assign(makeElement({ name: "Pay", handle: "shop/pay" }), { memo: password }),
    ],
  });
  readonly secretRoot = makeElement({ role: "window", name: password, handle: "vault/root" });

  async covers(windows: readonly Window[]): Promise<Result<ReadonlySet<number>>> {
    this.asked.push(...windows.map(({ app }) => app));
    return succeed(new Set([shop.id, vault.id, 99]));
  }

  async readWindows({ windows }: { readonly windows: readonly Window[] }): Promise<Result<readonly WindowRead[]>> {
    this.asked.push(...windows.map(({ app }) => app));
    const notes = [{ code: "TRUNCATED" as const, text: `cut after ${card}`, memo: password }];
    const own = { window: { ...shop, title: password }, appKey: "shop", root: this.root, notes, memo: password };
    // Including what was not requested.
    return succeed([own, { window: vault, appKey: "vault", root: this.secretRoot, notes: [] }]);
  }

  readText = async () =>
    succeed({ text: `the card is ${card}.`, start: 0, end: 30, length: 30, notes: [], memo: password });

  glimpse = async () =>
    succeed({
      platformRole: "text",
      ownName: card,
      states: new Set(["focused", password as "busy"] as const),
      place: "",
      length: 3,
      memo: password,
    });

  askWhatIsAt = async () => succeed(`vault/${password}`);

  watch = async (windows: readonly Window[]) => {
    this.asked.push(...windows.map(({ app }) => app));
    const signs: Sign[] = [
      { source: "event", handle: `vault/${password}` },
      { source: password as "event", handle: "shop/pay" },
    ];
    return succeed({
      take: () => signs,
      waitForSign: async () => signs[0],
      waitForStillness: async () => true,
      findTemper: () => password as "calm",
      findCrossing: () => undefined,
      close: () => undefined,
    });
  };
}

const isBlind = ({ app }: Window): boolean => app === "vault";
const reading = { includeHidden: false, timeoutMs: 100 };

function take<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Everything reachable, including sets and the results of functions. */
function spell(thing: unknown): string {
  return JSON.stringify(thing, (_, value) => (value instanceof Set ? [...value] : value)) ?? "";
}

function expectSilence(thing: unknown): void {
  const told = spell(thing);
  expect(told).not.toContain(password);
  expect(told.replaceAll(/[^0-9]/g, "")).not.toContain("42424242");
}

async function open() {
  const leak = new Leak();
  const source = redactSource(leak, isBlind);
  const reads = take(await source.readWindows({ ...reading, windows: [shop, vault] }));
  const elements = flatten(reads.flatMap(({ root }) => root ?? []));
  return { leak, source, reads, elements };
}

describe("a source that leaks", () => {
  test("reveals nothing secret in a tree, not even in unknown fields", async () => {
    const { reads, elements } = await open();
    expectSilence(reads);
    expect(elements.map(({ handle }) => handle)).toEqual(["shop/root", "shop/card", "shop/field", "shop/pay"]);
    expect(elements[2]).toMatchObject({ value: "", children: [] });
    expect(elements[2]?.states.has("secret")).toBe(true);
    expect(elements[1]).toMatchObject({ platformActions: ["press"], invocations: { press: "press" } });
    expect(Object.keys(elements[3] ?? {})).not.toContain("memo");
  });

  test("is not asked about a blind window, and anything it reports of one is dropped", async () => {
    const { leak, source, reads } = await open();
    expect(reads.map(({ window, root }) => [window.app, root?.name])).toEqual([
      ["shop", "Shop"],
      ["vault", undefined],
    ]);
    expect(take(await source.covers([shop, vault]))).toEqual(new Set([shop.id]));
    take(await source.watch([shop, vault], 100));
    expect(leak.asked).not.toContain("vault");
  });

  test("reveals no text of a secret field, and none of an element that was not read before", async () => {
    const { leak, source, elements } = await open();
    const read = (element: Element) => source.readText({ element, start: 0, end: undefined, timeoutMs: 100 });
    const [, cardText, field] = elements;
    if (cardText === undefined || field === undefined) throw new Error("nothing was read");
    const text = take(await read(cardText));
    expectSilence(text);
    expect(text.text).toBe("the card is [card number].");
    for (const element of [field, leak.field, leak.secretRoot]) {
      const refused = await read(element);
      expect(refused.ok).toBe(false);
      expectSilence(refused);
    }
  });

  test("reveals nothing in a glimpse, a hit test or a sign", async () => {
    const { leak, source, elements } = await open();
    const [, cardText] = elements;
    if (cardText === undefined) throw new Error("nothing was read");
    const glimpse = take(await source.glimpse(cardText, 100));
    expectSilence(glimpse);
    expect([...(glimpse?.states ?? [])]).toEqual(["focused"]);
    expect(take(await source.glimpse(leak.secretRoot, 100))).toBeUndefined();
    expectSilence(take(await source.askWhatIsAt(cardText, { x: 1, y: 1 }, 100)));
    expect(take(await source.askWhatIsAt(leak.secretRoot, { x: 1, y: 1 }, 100))).toBeUndefined();
    const watch = take(await source.watch([shop], 100));
    const signs = [...watch.take(), await watch.waitForSign(1)];
    expectSilence(signs);
    expect(signs.map((sign) => sign?.handle)).toEqual([undefined, "shop/pay", undefined]);
    expect(watch.findTemper("x")).toBeUndefined();
  });

  test("shows nothing in a picture: its secrets are covered by the redaction", async () => {
    const picture = (bounds: Bounds): Picture => ({
      pixels: new Uint8Array(bounds.width * bounds.height * 4).fill(200),
      bounds,
    });
    const screen = { x: 0, y: 0, width: 100, height: 40 };
    const surfaces = [shop, vault].map(({ id, bounds, pid, app }) => ({
      id,
      bounds,
      windowId: id,
      pid,
      names: [app],
      drawn: bounds,
      opaque: [bounds],
    }));
    const leak = new Leak();
    const platform: Platform = Object.assign(leak, {
      name: "leak",
      lacks: new Map(),
      listWindows: async () => succeed({ windows: [shop, vault], monitors: [], screen }),
      listSurfaces: async () => succeed(surfaces),
      findWindowAt: async () => succeed(vault),
      listPopups: async () => succeed([]),
      findPointer: async () => succeed({ x: 0, y: 0, isHeld: false }),
      findPressPause: async () => succeed(0),
      captureScreen: async (part: Bounds) => succeed(picture(part)),
      captureWindow: async (window: Window, part?: Bounds) => succeed(picture(part ?? window.bounds)),
      findOpener: async () => ({ ok: false as const, failure: { code: "NOT_FOUND" as const, message: "", done: "" } }),
      isRunning: async () => succeed(true),
      findEnd: async () => succeed(undefined),
      belongsTo: async () => succeed(false),
      prepareRead: () => undefined,
      close: () => undefined,
    });
    const policy: Policy = { ...sandboxPolicy, standings: new Map<string, Standing>([["vault", "blind"]]) };
    const view = createRedactedView(platform, { policy, looks: new Looks(), timeoutMs: 50, findStop: () => undefined });
    const whole = take(await view.captureScreen(screen));
    const own = take(await view.captureWindow(shop));
    for (const { pixels, bounds } of [whole, own]) {
      for (let at = 0; at < pixels.length; at += 4) {
        const point = { x: (at / 4) % bounds.width, y: Math.floor(at / 4 / bounds.width) };
        const isHidden = [cardPlace, fieldPlace, vault.bounds].some((place) => containsPoint(place, point));
        if (isHidden) expect([point, pixels[at]]).not.toEqual([point, 200]);
      }
    }
    expect((await view.captureWindow(vault)).ok).toBe(false);
    expect((await view.findWindowAt({ x: 70, y: 5 })).ok).toBe(false);
    expect(Object.keys(view)).not.toContain("asked");
  });
});

test("an object without a secret is passed on unchanged, and so is one that was redacted already", async () => {
  const plain = makeElement({ role: "window", name: "Plain", children: [makeElement({ name: "Go" })] });
  const leak = new Leak();
  leak.readWindows = async () => succeed([{ window: shop, appKey: "shop", root: plain, notes: [] }]);
  const source = redactSource(leak, isBlind);
  const read = async () => take(await source.readWindows({ ...reading, windows: [shop] }))[0]?.root;
  expect(await read()).toBe(plain);
  const { source: leaking } = await open();
  const first = take(await leaking.readWindows({ ...reading, windows: [shop] }))[0]?.root;
  expect(take(await leaking.readWindows({ ...reading, windows: [shop] }))[0]?.root).toBe(first);
});

test("no element text gets through with a card number in it, anywhere", async () => {
  const field = fc.constantFrom(...(Object.keys(everywhere) as (keyof typeof everywhere)[]));
  await fc.assert(
    fc.asyncProperty(field, fc.string({ maxLength: 8 }), async (key, around) => {
      const leak = new Leak();
      const leaky = makeElement({
        [key]: key in { platformActions: 1, invocations: 1 } ? everywhere[key] : `${around} ${card}`,
      });
      leak.readWindows = async () => succeed([{ window: shop, appKey: "shop", root: leaky, notes: [] }]);
      expectSilence(take(await redactSource(leak, isBlind).readWindows({ ...reading, windows: [shop] })));
    }),
  );
});
