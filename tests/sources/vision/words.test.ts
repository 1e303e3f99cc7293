import { describe, expect, test } from "bun:test";
import type { Picture } from "../../../src/model/frame.ts";
import { findBoxes } from "../../../src/sources/vision/boxes.ts";
import { describeReading } from "../../../src/sources/vision/describe.ts";
import { joinWords, parseTable, type Word } from "../../../src/sources/vision/words.ts";
import { draw } from "../../picture/pictures.ts";

function word(text: string, x: number, y: number, width = text.length * 8, confidence = 0.9): Word {
  return { text, confidence, bounds: { x, y, width, height: 12 } };
}

function picture(width: number, height: number, more: Partial<Picture> = {}): Picture {
  return { pixels: new Uint8Array(width * height * 4), bounds: { x: 0, y: 0, width, height }, ...more };
}

function readLabels(words: readonly Word[], from: Picture = picture(800, 600)): string[] {
  return describeReading({ page: words, boxes: [] }, from, 1).map(({ label }) => label);
}

describe("Tesseract's table", () => {
  const table = [
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
    "1\t1\t0\t0\t0\t0\t0\t0\t400\t300\t-1\t",
    "5\t1\t1\t1\t1\t1\t41\t20\t81\t25\t96.5\tApply",
    "5\t1\t1\t1\t1\t2\t130\t20\t60\t25\t12\tdirt",
    "5\t1\t1\t1\t1\t3\t130\t20\tNaN\t25\t99\tbroken",
    "5\t1\t1\t1\t1\t4\t200\t20\t60\t25\t95\t ",
    "5\t1\t1",
  ].join("\n");

  test("gives its words in pixels of the picture, without low-confidence ones", () => {
    const [apply, ...rest] = parseTable(table, 2);
    expect(rest).toEqual([]);
    expect(apply).toMatchObject({ text: "Apply", bounds: { x: 20, y: 10, width: 41, height: 13 } });
    expect(apply?.confidence).toBeCloseTo(0.965);
  });

  test("may have any length and content", () => {
    const long = `5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t90\t${"x".repeat(10_000)}`;
    const words = parseTable(Array(6000).fill(long).join("\n"), 1);
    expect(words).toHaveLength(5000);
    expect(words[0]?.text).toHaveLength(200);
  });
});

describe("words", () => {
  test("beside each other are one label, and those of a menu are several", () => {
    const words = [word("now", 60, 11), word("Apply", 10, 10), word("Close", 97, 10), word("below", 10, 30)];
    expect(joinWords(words).map(({ text }) => text)).toEqual(["Apply now", "Close", "below"]);
  });

  test("of a menu bar are one label each, however close they stand", () => {
    // As Tesseract reads GIMP's: left edges and widths; the first word is as high as the icon above it.
    const read = [
      ["File", 9, 22],
      ["Edit", 45, 26],
      ["Select", 84, 43],
      ["View", 139, 33],
    ] as const;
    const [file, ...others] = read.map(([text, x, width]) => word(text, x, 27, width));
    const tall = file && { ...file, bounds: { ...file.bounds, y: 12, height: 31 } };
    expect(joinWords([...(tall ? [tall] : []), ...others]).map(({ text }) => text)).toEqual([
      "File",
      "Edit",
      "Select",
      "View",
    ]);
  });

  test("misread from borders and icons are dropped", () => {
    expect(readLabels([word("€", 0, 0), word("Undo", 12, 0), word("|", 48, 0)])).toEqual(["Undo"]);
    expect(readLabels([word("=|", 0, 0), word("x", 100, 0), word("[o]", 200, 0)])).toEqual([]);
    expect(readLabels([word("Perhaps", 0, 0, 60, 0.4)])).toEqual([]);
  });

  test("are reported in pixels of the screen", () => {
    const shifted = picture(200, 100, { bounds: { x: -300, y: 50, width: 200, height: 100 } });
    expect(describeReading({ page: [word("Save", 10, 20)], boxes: [] }, shifted, 1)).toEqual([
      {
        role: "text",
        source: "ocr",
        label: "Save",
        bounds: { x: -290, y: 70, width: 32, height: 12 },
        confidence: 0.9,
      },
    ]);
  });

  test("that look like secrets are masked, even over several labels and lines", () => {
    const card = ["4242", "4242", "4242", "4242"];
    expect(readLabels(card.map((part, at) => word(part, 40 * at, 0)))).toEqual(["[card number]"]);
    const apart = readLabels(card.map((part, at) => word(part, 100 * at, 0)));
    expect(apart.join()).not.toContain("4242");
    const key = ["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "-----END PRIVATE KEY-----"];
    const lines = key.map((text, at) => word(text, 0, 20 * at));
    expect(readLabels(lines).join()).not.toContain("MIIE");
  });

  test("with control or hidden characters are cleaned", () => {
    expect(readLabels([word("Sa\u202eve\u0007", 0, 0)])).toEqual(["Save"]);
  });

  test("that touch a covered area are dropped", () => {
    const covered = [{ what: "secret", app: "any", bounds: { x: 30, y: 0, width: 50, height: 40 } }] as const;
    const words = [word("hunter2", 0, 10), word("Password", 0, 60)];
    expect(readLabels(words, picture(200, 100, { covered }))).toEqual(["Password"]);
  });
});

describe("boxes", () => {
  /** A page with a round button (40,20 80×26), a flat one (200,20 80×26) and an empty field (320,20 120×26). */
  const { pixels } = draw(500, 80, (x, y) => {
    const isText = y >= 28 && y < 38 && x % 3 === 0;
    const fromCore = Math.hypot(Math.max(53 - x, x - 107, 0), y - 33);
    const [inRound, onRound] = [fromCore <= 13, fromCore <= 11.5];
    if (inRound && !onRound) return [0, 0, 0];
    if (onRound) return isText && x >= 60 && x < 100 ? [0, 0, 0] : [255, 255, 255];
    const isFlat = y >= 20 && y < 46 && x >= 200 && x < 280;
    if (isFlat) return isText && x >= 220 && x < 260 ? [255, 255, 255] : [255 - y, 120, 0];
    const isField = y >= 20 && y < 46 && x >= 320 && x < 440;
    return isField ? [200, 200, 200] : [255, 255, 255];
  });

  test("are areas of one colour, or a gradient, with something on them", () => {
    const boxes = findBoxes({ pixels, bounds: { x: 0, y: 0, width: 500, height: 80 } }, 1);
    expect(boxes.map(({ bounds }) => bounds)).toEqual([
      { x: 200, y: 20, width: 80, height: 26 },
      { x: 42, y: 22, width: 77, height: 23 },
    ]);
  });

  test("with one line in their middle are buttons", () => {
    const from = { pixels, bounds: { x: 0, y: 0, width: 500, height: 80 } };
    const [flat, round] = findBoxes(from, 1);
    if (flat === undefined || round === undefined) throw new Error("no boxes");
    const boxes = [
      { box: round, words: [word("OK", 72, 27, 16)] },
      { box: flat, words: [word("left", 202, 27, 20)] },
    ];
    const found = describeReading({ page: [], boxes }, from, 1);
    expect(found.map(({ role, label }) => [role, label])).toEqual([
      ["button", "OK"],
      ["text", "left"],
    ]);
  });
});
