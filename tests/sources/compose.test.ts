import { describe, expect, test } from "bun:test";
import type { Detection } from "../../src/model/detection.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import type { Picture } from "../../src/model/frame.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { Platform } from "../../src/platform/port.ts";
import { composePictures } from "../../src/sources/compose.ts";
import type { VisionMode } from "../../src/sources/port.ts";

// A tree and a picture of one window made one, on a desktop in memory; the reader of pictures is told what it reads.

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

  test("is read again only when a pixel is different", async () => {
    const { platform, reader } = open("treeless");
    const first = await look(platform);
    expect((await look(platform)).told).toEqual(first.told);
    expect(reader.count).toBe(1);
  });

  test("stays as it is where nothing reads pictures, and where reading fails", async () => {
    const { platform } = open("treeless", false);
    expect(await look(platform)).toMatchObject({ told: [], notes: [{ code: "NO_TREE" }] });
    const broken = open("treeless");
    broken.reader.failure = "no letters";
    expect(await look(broken.platform)).toMatchObject({ told: [], notes: [{ code: "NO_TREE" }] });
    const insisted = await look(broken.platform, "on");
    expect(insisted.notes.map(({ code, text }) => [code, text])).toContainEqual(["FAILED", "no letters"]);
  });

  test("answers about its elements by their own source", async () => {
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
  test("is not read from its picture by itself", async () => {
    const { platform, reader } = open(undefined);
    expect((await look(platform)).told).toEqual([["Own", "a11y"]]);
    expect(reader.count).toBe(0);
  });

  test("is confirmed and completed by its picture where that is asked for", async () => {
    const { platform, reader } = open(undefined);
    const own = {
      role: "button",
      source: "ocr",
      label: "Own",
      bounds: { x: 122, y: 62, width: 30, height: 14 },
      confidence: 0.8,
    } as const;
    reader.shown = [...reader.shown, own];
    expect((await look(platform, "on")).told).toEqual([
      ["Own", "a11y+vision"],
      ["Okay", "ocr"],
    ]);
  });

  test("says that nothing reads pictures where that is insisted on", async () => {
    const { platform } = open(undefined, false);
    const { told, notes } = await look(platform, "on");
    expect(told).toEqual([["Own", "a11y"]]);
    expect(notes).toMatchObject([{ code: "FAILED", text: expect.stringContaining("nothing here reads pictures") }]);
  });
});
