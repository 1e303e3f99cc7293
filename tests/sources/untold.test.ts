import { describe, expect, test } from "bun:test";
import type { Bounds } from "../../src/model/bounds.ts";
import type { Element } from "../../src/model/element.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { noteUntold } from "../../src/sources/untold.ts";
import { findUntoldAreas } from "../../src/sources/untold-areas.ts";
import { makeElement } from "../fixtures/elements.ts";
import { draw } from "../picture/pictures.ts";

const whole = { x: 100, y: 50, width: 400, height: 300 };
const part = { x: 200, y: 150, width: 80, height: 40 };
const cover = { x: 190, y: 140, width: 100, height: 60 };
const own = { role: "button", name: "Own", bounds: { x: 400, y: 300, width: 40, height: 20 } } as const;

function open(children: readonly ControlSketch[], drawn: readonly Bounds[], front: readonly Bounds[] = []) {
  const desktop = new FakeDesktop({
    screen: { x: 0, y: 0, width: 800, height: 600 },
    applications: [
      ...front.map((bounds, at) => ({ name: `front ${at}`, windows: [{ title: "Front", bounds }] })),
      { name: "box", windows: [{ title: "Box", bounds: whole, drawn, children }] },
    ],
  });
  let captures = 0;
  const platform = desktop.open();
  const clock = { nowMs: 0 };
  const screen = {
    listWindows: () => platform.listWindows(),
    listSurfaces: () => platform.listSurfaces(),
    captureScreen: (area: Bounds) => {
      captures += 1;
      return platform.captureScreen(area);
    },
  };
  const source = noteUntold(platform, screen, () => clock.nowMs);
  const read = async (withUntold?: boolean) => {
    const list = await platform.listWindows();
    if (!list.ok) throw new Error(list.failure.message);
    const windows = list.value.windows.filter(({ app }) => app === "box");
    const reads = await source.readWindows({ windows, includeHidden: false, timeoutMs: 100, withUntold });
    if (!reads.ok) throw new Error(reads.failure.message);
    return reads.value.flatMap(({ notes }) => notes);
  };
  return { read, platform, clock, countCaptures: () => captures };
}

describe("what a window draws", () => {
  test("and no element tells is noted with its place and what to do", async () => {
    const [note, ...others] = await open([own], [part]).read(true);
    expect(others).toEqual([]);
    expect(note?.code).toBe("UNTOLD");
    const [area] = note?.areas ?? [];
    expect(area).toEqual({ x: 200, y: 150, width: 80, height: 40 });
    expect(note?.text).toBe(
      "the application does not tell what it shows in 80x40 at 200,150; --vision on reads its words there, a screenshot shows it",
    );
  });

  test("is compared once while its tree stays the same, and again after 2 s or a change of it", async () => {
    const { read, platform, clock, countCaptures } = open([own], [part]);
    const readWindows = platform.readWindows.bind(platform);
    let kept: ReturnType<typeof readWindows> | undefined;
    platform.readWindows = (request) => {
      kept ??= readWindows(request);
      return kept;
    };
    const first = await read(true);
    expect([await read(true), countCaptures()]).toEqual([first, 1]);
    clock.nowMs = 2000;
    expect([await read(true), countCaptures()]).toEqual([first, 2]);
    kept = undefined;
    expect([await read(true), countCaptures()]).toEqual([first, 3]);
  });

  test("in a box without content is noted with the place of the box", async () => {
    const box = { role: "list", name: "Icon view", bounds: cover } as const;
    expect((await open([box], [part]).read(true))[0]?.areas).toEqual([cover]);
    const page = { role: "group", bounds: cover } as const;
    expect((await open([page], [part]).read(true))[0]?.areas).toEqual([cover]);
    const view = { role: "group", name: "Icon view", bounds: { ...cover, height: 100 } } as const;
    expect((await open([view], [part]).read(true))[0]?.areas).toEqual([view.bounds]);
  });

  const telling: readonly ControlSketch[] = [
    { role: "button", name: "" },
    { role: "input" },
    { role: "text", name: "Hello" },
    { role: "image" },
    { role: "group", name: "Preview" },
    { role: "web", children: [{ role: "text", name: "A page", bounds: { ...part, height: 10 } }] },
    { role: "list", children: [{ role: "option", name: "Entry", bounds: { ...part, width: 20 } }] },
  ];
  for (const sketch of telling) {
    test(`is told by a ${sketch.role} at that place`, async () => {
      expect(await open([{ ...sketch, bounds: cover }], [part]).read(true)).toEqual([]);
    });
  }

  test("is not told by an empty text, and not by an entry in another row", async () => {
    expect(await open([{ role: "text", bounds: cover }], [part]).read(true)).toHaveLength(1);
    const entry = { role: "option", name: "Entry", bounds: { ...part, y: 60, height: 20 } } as const;
    const list = { role: "list", bounds: { ...cover, y: 60, height: 200 }, children: [entry] } as const;
    expect(await open([list], [part]).read(true)).toHaveLength(1);
  });

  test("is not compared where another window covers it, or if nobody asks", async () => {
    expect(await open([], [part], [cover]).read(true)).toEqual([]);
    const unasked = open([], [part]);
    expect([await unasked.read(), unasked.countCaptures()]).toEqual([[], 0]);
  });

  test("is not noted if it is smaller than a tool button", async () => {
    expect(await open([own], [{ ...part, height: 20 }]).read(true)).toEqual([]);
  });

  test("in several places is noted in one note, those close together as one", async () => {
    const areas = [part, { ...part, x: 296, width: 40 }, { ...part, y: 250, width: 40 }];
    expect((await open([own], areas).read(true))[0]?.areas).toEqual([
      { ...part, width: 136 },
      { ...part, y: 250, width: 40 },
    ]);
  });
});

describe("no content", () => {
  const size = { width: 200, height: 120 };
  const bounds = { x: 0, y: 0, ...size };
  const root = makeElement({ role: "window", name: "Box", bounds });
  const find = (paint: (x: number, y: number) => number[], tree: Element = root) =>
    findUntoldAreas(tree, [bounds], { pixels: draw(size.width, size.height, paint).pixels, bounds });
  const grey = (level: number): number[] => [level, level, level];

  test("is a gradient", () => {
    expect(find((x, y) => grey(Math.min(255, x + y)))).toEqual([]);
  });

  test("is a line, a frame or a grid", () => {
    expect(find((x, y) => grey(x % 40 === 0 || y % 30 === 0 ? 0 : 240))).toEqual([]);
  });

  test("is an arrow or a round corner", () => {
    expect(find((x, y) => grey(x % 60 < 6 && y % 40 < 6 && x % 60 < y % 40 ? 0 : 240))).toEqual([]);
  });

  test("but letters are, and what an application draws itself", () => {
    const letters = (x: number, y: number): number[] =>
      grey(x >= 40 && x < 120 && y >= 30 && y < 70 && (x * 7 + y * 5) % 9 < 4 ? 0 : 240);
    expect(find(letters)).toHaveLength(1);
    const image = makeElement({ role: "image", bounds });
    expect(find(letters, { ...root, children: [image] })).toEqual([]);
    const canvas = { ...image, traits: new Set(["drawn"] as const) };
    expect(find(letters, { ...root, children: [canvas] })).toEqual([bounds]);
  });
});
