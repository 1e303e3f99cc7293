import { describe, expect, test } from "bun:test";
import type { Detection } from "../../src/model/detection.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import type { Picture } from "../../src/model/frame.ts";
import type { VisionMode } from "../../src/model/source.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Platform } from "../../src/platform/port.ts";
import { composeActors, composePictures, composeTrees, lookThrough } from "../../src/sources/compose.ts";
import type { ElementSource } from "../../src/sources/port.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { PageSource } from "./page-source.ts";

// Merging the tree and the picture of one window, on an in-memory desktop; the picture reader is scripted.

const place = { x: 10, y: 10, width: 60, height: 20 };

let windowCount = 0;

class Reader {
  readonly name = `told ${windowCount}`;
  /** How often a picture was read. */
  count = 0;
  shown: readonly Detection[] = [{ role: "button", source: "ocr", label: "Okay", bounds: place, confidence: 0.9 }];
  failure = "";

  async detect(_: Picture): Promise<Result<readonly Detection[]>> {
    this.count += 1;
    return this.failure === ""
      ? succeed(this.shown)
      : fail({ code: "FAILED", message: this.failure, done: nothingDone });
  }
}

function open(manner: "treeless" | undefined, isInstalled = true) {
  windowCount += 1;
  const desktop = new FakeDesktop({
    applications: [
      {
        name: "box",
        ...(manner === undefined ? {} : { manner }),
        windows: [
          {
            title: `Box ${windowCount}`,
            bounds: { x: 0, y: 0, width: 200, height: 100 },
            children: [{ role: "button", name: "Own", bounds: { x: 120, y: 60, width: 40, height: 20 } }],
          },
        ],
      },
    ],
  });
  const reader = new Reader();
  const platform = composePictures(desktop.open(), async () => succeed(isInstalled ? reader : undefined));
  return { reader, platform };
}

async function look(platform: Platform, vision?: VisionMode) {
  const list = await platform.listWindows();
  if (!list.ok) throw new Error(list.failure.message);
  const reads = await platform.readWindows({
    windows: list.value.windows,
    includeHidden: false,
    timeoutMs: 100,
    vision,
  });
  if (!reads.ok || reads.value[0] === undefined) throw new Error("nothing was read");
  const { root, notes } = reads.value[0];
  const elements: readonly Element[] = root === undefined ? [] : flatten(root.children);
  return { elements, notes, told: elements.map(({ name, source }) => [name, source]) };
}

describe("a window without a tree", () => {
  test("is filled from its picture, and says so", async () => {
    const { platform } = open("treeless");
    const { elements, told, notes } = await look(platform);
    expect(told).toEqual([["Okay", "ocr"]]);
    expect(elements[0]).toMatchObject({ certainty: 0.9, clickPoint: { x: 40, y: 20 }, bounds: place });
    expect(notes).toMatchObject([{ code: "NO_TREE", text: expect.stringContaining("picture") }]);
    expect((await look(platform, "off")).told).toEqual([]);
  });

  test("is read again only if a pixel changed", async () => {
    const { platform, reader } = open("treeless");
    const first = await look(platform);
    expect((await look(platform)).told).toEqual(first.told);
    expect(reader.count).toBe(1);
  });

  test("stays unchanged without a picture reader, and if reading fails", async () => {
    const { platform } = open("treeless", false);
    expect(await look(platform)).toMatchObject({ told: [], notes: [{ code: "NO_TREE" }] });
    const broken = open("treeless");
    broken.reader.failure = "no letters";
    expect(await look(broken.platform)).toMatchObject({ told: [], notes: [{ code: "NO_TREE" }] });
    const insisted = await look(broken.platform, "on");
    expect(insisted.notes.map(({ code, text }) => [code, text])).toContainEqual(["FAILED", "no letters"]);
  });

  test("answers about its elements from their own source", async () => {
    const { platform, reader } = open("treeless");
    const { elements } = await look(platform);
    const [okay] = elements;
    if (okay === undefined) throw new Error("nothing was read");
    const text = await platform.readText({ element: okay, start: 0, end: 2, timeoutMs: 100 });
    expect(text).toMatchObject({ ok: true, value: { text: "Ok", length: 4 } });
    expect(await platform.glimpse(okay, 100)).toMatchObject({ ok: true, value: { ownName: "Okay" } });
    expect(await platform.glimpse({ ...okay, handle: `${okay.handle}0` }, 100)).toEqual(succeed(undefined));
    expect(reader.count).toBe(1);
  });

  test("shows no secret that its reader has read", async () => {
    const { platform, reader } = open("treeless");
    reader.shown = [{ role: "text", source: "ocr", label: "card 4242 4242 4242 4242", bounds: place, confidence: 0.9 }];
    expect((await look(platform)).told).toEqual([["card [card number]", "ocr"]]);
  });
});

describe("a window with a tree", () => {
  test("is not read from its picture by default", async () => {
    const { platform, reader } = open(undefined);
    expect((await look(platform)).told).toEqual([["Own", "a11y"]]);
    expect(reader.count).toBe(0);
  });

  test("is confirmed by its picture if requested, and completed only where it has nothing", async () => {
    const { platform, reader } = open(undefined);
    const own = {
      role: "button",
      source: "ocr",
      label: "Own",
      bounds: { x: 122, y: 62, width: 30, height: 14 },
      confidence: 0.8,
    } as const;
    reader.shown = [...reader.shown, own];
    expect((await look(platform, "on")).told).toEqual([["Own", "a11y+vision"]]);
  });

  test("says that there is no picture reader if one is required", async () => {
    const { platform } = open(undefined, false);
    const { told, notes } = await look(platform, "on");
    expect(told).toEqual([["Own", "a11y"]]);
    expect(notes).toMatchObject([{ code: "FAILED", text: expect.stringContaining("nothing here reads pictures") }]);
  });
});

describe("a page of a second source", () => {
  const window = makeWindow({ id: 5, title: "Browser", bounds: { x: 0, y: 0, width: 400, height: 300 } });
  const inside = { x: 0, y: 60, width: 400, height: 240 };
  const bar = makeElement({ role: "input", name: "Address", bounds: { x: 0, y: 0, width: 400, height: 30 } });
  const stale = makeElement({ role: "button", name: "Choose as the tree has it" });
  const web = (given: Partial<Element>) => makeElement({ role: "web", bounds: inside, children: [stale], ...given });

  /** A tree of one window, as an accessibility API reports it. */
  function makeTree(children: readonly Element[] | undefined): ElementSource & { root: Element | undefined } {
    const root = children && makeElement({ role: "window", name: "Browser", handle: "tree/window", children });
    return {
      root,
      covers: async () => succeed(new Set(root === undefined ? [] : [window.id])),
      readWindows: async ({ windows }) =>
        succeed(
          windows.map((one) => ({
            window: one,
            appKey: "browser",
            root,
            notes: root === undefined ? [{ code: "NO_TREE" as const, text: "no tree" }] : [],
          })),
        ),
      readText: async () => fail({ code: "FAILED", message: "the tree was asked", done: nothingDone }),
      glimpse: async () => fail({ code: "FAILED", message: "the tree was asked", done: nothingDone }),
      askWhatIsAt: async () => succeed("tree/window"),
      watch: async () => succeed(new FakeDesktop({ applications: [] }).watch()),
    };
  }

  async function readNames(source: ElementSource) {
    const reads = await source.readWindows({ windows: [window], includeHidden: false, timeoutMs: 100 });
    if (!reads.ok) return reads.failure.message;
    const [read] = reads.value;
    const elements = flatten(read?.root === undefined ? [] : [read.root]);
    return { names: elements.map(({ name }) => name), elements, root: read?.root, notes: read?.notes ?? [] };
  }

  const shop = ["Shop", "Choose", "Delete account", "Card", "0 chosen"];

  test("replaces the tree's own view of it, found by its address", async () => {
    const page = new PageSource("Browser", () => ({ ...inside, y: 0 }));
    const tree = makeTree([bar, web({ url: "https://other.example/" }), web({ url: "https://shop.example/" })]);
    const whole = await readNames(composeTrees(tree, [page.added]));
    expect(whole).toMatchObject({ names: ["Browser", "Address", "", "Choose as the tree has it", ...shop] });
  });

  test("otherwise by its position, and without one it comes last", async () => {
    const page = new PageSource("Browser", () => inside);
    const placed = await readNames(composeTrees(makeTree([web({}), bar]), [page.added]));
    expect(placed).toMatchObject({ names: ["Browser", ...shop, "Address"] });
    const last = await readNames(composeTrees(makeTree([bar]), [page.added]));
    expect(last).toMatchObject({ names: ["Browser", "Address", ...shop] });
  });

  test("is the only content of a window without a tree", async () => {
    const page = new PageSource("Browser", () => inside);
    expect(await readNames(composeTrees(makeTree(undefined), [page.added]))).toMatchObject({ names: shop, notes: [] });
  });

  test("is read even if the tree cannot be, which a note says", async () => {
    const page = new PageSource("Browser", () => inside);
    const tree = makeTree([bar]);
    const broken: ElementSource = {
      ...tree,
      readWindows: async () => fail({ code: "UNAVAILABLE", message: "no bus", done: nothingDone }),
    };
    expect(await readNames(composeTrees(broken, [page.added]))).toMatchObject({
      names: shop,
      notes: [{ code: "FAILED", text: "no bus" }],
    });
    page.failure = "the browser hangs";
    expect(await readNames(composeTrees(tree, [page.added]))).toMatchObject({
      names: ["Browser", "Address"],
      notes: [{ code: "FAILED", text: "the browser hangs" }],
    });
    const other = new PageSource("Elsewhere", () => inside);
    expect(await readNames(composeTrees(broken, [other.added]))).toBe("no bus");
  });

  test("answers about its own elements, and the tree about the others", async () => {
    const page = new PageSource("Browser", () => inside);
    const trees = composeTrees(makeTree([bar]), [page.added]);
    const whole = await readNames(trees);
    if (typeof whole === "string") throw new Error(whole);
    const choose = whole.elements.find(({ name }) => name === "Choose");
    if (choose === undefined) throw new Error("there is no page");
    const text = await trees.readText({ element: choose, start: 0, end: undefined, timeoutMs: 100 });
    expect(text).toMatchObject({ ok: true, value: { text: "text of Choose" } });
    expect(await trees.glimpse(choose, 100)).toMatchObject({ ok: true, value: { ownName: "Choose" } });
    expect(await trees.glimpse(bar, 100)).toMatchObject({ ok: false, failure: { message: "the tree was asked" } });
    expect(await trees.askWhatIsAt(choose, { x: 1, y: 1 }, 100)).toEqual(succeed(choose.handle));
    expect(await trees.covers([window])).toEqual(succeed(new Set([window.id])));
  });

  test("is the same object while neither has changed", async () => {
    const page = new PageSource("Browser", () => inside);
    const tree = makeTree([bar, web({})]);
    const trees = composeTrees(tree, [page.added]);
    const reads = await page.readWindows({ windows: [window], includeHidden: false, timeoutMs: 100 });
    page.readWindows = async () => reads;
    const [first, second] = [await readNames(trees), await readNames(trees)];
    if (typeof first === "string" || typeof second === "string") throw new Error("nothing was read");
    expect(second.root).toBe(first.root);
  });

  test("has its commands executed by its own actor; pixel-only elements have none", async () => {
    const page = new PageSource("Browser", () => inside);
    const own: string[] = [];
    const tree = {
      doToElement: async ({ kind }: { kind: string }) => {
        own.push(kind);
        return succeed(undefined);
      },
    };
    const actors = composeActors(tree, [page.added]);
    const choose = makeElement({ source: "dom", handle: "page:1/choose", name: "Choose" });
    expect(await actors.doToElement({ kind: "invoke", element: choose, action: "click" })).toEqual(succeed(undefined));
    expect(await actors.doToElement({ kind: "focus", element: bar })).toEqual(succeed(undefined));
    expect([page.commands.map(({ kind }) => kind), own]).toEqual([["invoke"], ["focus"]]);
    const mute = composeActors(tree, [{ name: "dom", elements: page, close: () => undefined }]);
    expect(await mute.doToElement({ kind: "invoke", element: choose, action: "click" })).toMatchObject({ ok: false });
    expect(own).toEqual(["focus"]);
    for (const source of ["ocr", "heuristic", "model", "learned"] as const) {
      const refused = await actors.doToElement({ kind: "focus", element: { ...bar, source } });
      expect(refused).toMatchObject({ ok: false, failure: { code: "PATTERN_UNSUPPORTED", done: nothingDone } });
    }
  });

  test("wakes a watch by its own signs, and ends with it", async () => {
    const page = new PageSource("Browser", () => inside);
    const opened = await composeTrees(makeTree([bar]), [page.added]).watch([window], 100);
    if (!opened.ok) throw new Error(opened.failure.message);
    const watch = opened.value;
    const waiting = watch.waitForSign(5000);
    page.order();
    expect(await waiting).toEqual({ source: "event", handle: "page:1/choose" });
    expect(watch.take()).toEqual([{ source: "event", handle: "page:1/choose" }]);
    expect(await watch.waitForSign(1)).toBeUndefined();
    expect(await watch.waitForStillness(5, 1000)).toBe(true);
    expect([watch.findTemper("page:1/choose"), watch.findTemper("tree/window")]).toEqual(["calm", undefined]);
    watch.close();
    expect(page.closedWatches).toBe(1);
  });

  test("is read by the guard unredacted; pictured elements, through the view", async () => {
    const page = new PageSource("Browser", () => inside);
    const trees = composeTrees(makeTree([bar]), [page.added]);
    await readNames(trees);
    const { platform } = open("treeless");
    const [okay] = (await look(platform)).elements;
    if (okay === undefined) throw new Error("nothing was read");
    const guarded = lookThrough(trees, platform);
    expect(await guarded.glimpse(okay, 100)).toMatchObject({ ok: true, value: { ownName: "Okay" } });
    const choose = makeElement({ source: "dom", handle: "page:1/choose" });
    expect(await guarded.glimpse(choose, 100)).toMatchObject({ ok: true, value: { ownName: "Choose" } });
  });
});
