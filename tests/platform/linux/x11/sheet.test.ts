import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Drawing } from "../../../../src/model/drawing.ts";
import { measurePath } from "../../../../src/model/path-data.ts";
import { inpaint } from "../../../../src/platform/linux/x11/drawing-surface/inpaint.ts";
import { isSameProcess, readRecord, writeRecord } from "../../../../src/platform/linux/x11/drawing-surface/record.ts";
import { outlineBox, Renderer } from "../../../../src/platform/linux/x11/drawing-surface/render.ts";
import { type Image, listSpans, listTiles } from "../../../../src/platform/linux/x11/drawing-surface/spans.ts";
import { Erased } from "../../../../src/platform/linux/x11/drawing-surface/surface-window.ts";

const screen = { x: 0, y: 0, width: 1000, height: 700 };

/** A picture of points: # is drawn. */
function sketch(...rows: string[]): Image {
  const width = rows[0]?.length ?? 0;
  const pixels = new Uint8Array(width * rows.length * 4);
  rows.forEach((row, y) => {
    [...row].forEach((letter, x) => {
      if (letter === "#") pixels.fill(255, (y * width + x) * 4, (y * width + x) * 4 + 4);
    });
  });
  return { place: { x: 10, y: 20, width, height: rows.length }, pixels };
}

describe("the drawing, as rectangles", () => {
  test("runs of pixels are merged with equal ones above them", () => {
    expect(listSpans(sketch("##..", "##.#", "...#"))).toEqual([
      { x: 10, y: 20, width: 2, height: 2 },
      { x: 13, y: 21, width: 1, height: 2 },
    ]);
  });

  test("only tiles with content are kept", () => {
    const row = `${".".repeat(130)}#`;
    expect(listTiles(sketch(row))).toEqual([{ x: 128, y: 0, width: 3, height: 1 }]);
  });

  test("a crowded picture costs a bounded number of rectangles", () => {
    const rows = Array.from({ length: 200 }, () => "#.".repeat(100));
    const crowded = rows.map((row, y) => (y % 2 === 0 ? row : `.${row.slice(0, -1)}`));
    expect(listSpans(sketch(...crowded)).length).toBeLessThanOrEqual(4000);
  });

  test("an outline lies within its box, whatever its stroke", () => {
    const box = { x: 5, y: 6, width: 60, height: 33 };
    for (const stroke of ["thin", "thick", "dashed"] as const) {
      const pieces = outlineBox(box, stroke);
      expect(Math.min(...pieces.map(({ x }) => x))).toBe(5);
      expect(Math.max(...pieces.map(({ y, height }) => y + height))).toBe(39);
      expect(pieces.every(({ x, y, width, height }) => x >= 5 && y >= 6 && x + width <= 65 && y + height <= 39)).toBe(
        true,
      );
    }
  });
});

describe("untrusted input", () => {
  let renderer: Renderer;
  beforeAll(async () => {
    renderer = await Renderer.load();
  });

  test("path data is commands and numbers, and nothing else", () => {
    const isPath = (text: string): boolean => typeof measurePath(text) !== "string";
    expect(["M0 0L10-5.5.5 1Z", " m1,1 a5 5 0 0 1 10 10"].every(isPath)).toBe(true);
    const bad = ["", "L1 1", "M0 0 url(#x)", "M0 0<script>", 'M0 0" onload="', `M${"1 ".repeat(20_000)}`];
    expect(bad.some(isPath)).toBe(false);
  });

  test("an invalid path, or one of a zero-size box, draws nothing", () => {
    const shape = {
      kind: "shape",
      key: "s",
      bounds: { x: 0, y: 0, width: 100, height: 100 },
      size: { width: 10, height: 10 },
      path: "M0 0 L10 10",
      colour: "#ff0000",
      stroke: "thin",
      isFilled: false,
    } satisfies Drawing;
    expect(renderer.drawShape(shape, screen, true)).toBeDefined();
    expect(renderer.drawShape({ ...shape, path: "javascript:1" }, screen, true)).toBeUndefined();
    expect(renderer.drawShape({ ...shape, size: { width: 0, height: 10 } }, screen, true)).toBeUndefined();
    expect(renderer.drawShape({ ...shape, bounds: { ...shape.bounds, x: 5000 } }, screen, true)).toBeUndefined();
  });

  test("the extent of a path is known before it is drawn, whatever its commands", () => {
    expect(measurePath("M0 0H10V10h-10z")).toEqual({ left: 0, top: 0, right: 10, bottom: 10, length: 40 });
    expect(measurePath("m5 5 10 0 0 10")).toMatchObject({ left: 5, right: 15, bottom: 15, length: 20 });
    expect(measurePath("M0 0a5 5 0 0110 10")).toMatchObject({ length: 2 * Math.PI * Math.hypot(10, 10) });
    // The control point of a smooth curve is the reflection of the one before it.
    expect(measurePath("M0 0Q0-50 10 0T20 0")).toMatchObject({ top: -50, bottom: 50 });
    expect(measurePath("M0 0C0 0 10-70 10 0S20 0 20 0")).toMatchObject({ top: -70, bottom: 70 });
    for (const none of ["M0", "M0 0L1", "M0 0Z5", "M0 0L1e999 0", "M0 0a5 5 0 2 1 1 1", `M0 0${"h1".repeat(1001)}`]) {
      expect(measurePath(none)).toBeString();
    }
  });

  test("a path far outside its box is not drawn, and a very long one has no dashes", () => {
    const shape = {
      kind: "shape",
      key: "s",
      bounds: { x: 100, y: 100, width: 400, height: 400 },
      size: { width: 100, height: 100 },
      path: "M-300 50L100 50",
      colour: "#ff0000",
      stroke: "dashed",
      isFilled: false,
    } satisfies Drawing;
    const draw = (path: string, bounds = shape.bounds) => renderer.drawShape({ ...shape, path, bounds }, screen, true);
    expect(draw(shape.path)).toBeDefined();
    for (const far of [
      "M0 0L1e9 0",
      "M0 0l0-501",
      "M0 0q900 0 0 1",
      "M0 0a999 999 0 0 1 1 1",
      `M0 0${"l400 0l-400 0".repeat(80)}`,
    ]) {
      expect(draw(far)).toBeUndefined();
    }
    expect(draw(shape.path, { ...shape.bounds, width: 1e9 })).toBeUndefined();
    const countRuns = (path: string): number => {
      const image = draw(path);
      return image === undefined ? 0 : listSpans(image).length;
    };
    const there = "M0 50L100 50";
    expect(countRuns(there)).toBeGreaterThan(10);
    expect(countRuns(`${there}${"M-400-100L400-100".repeat(6)}`)).toBeLessThan(3);
  });

  test("a line to nowhere, or without end, is drawn at once or not at all", () => {
    const line = { kind: "line", key: "l", colour: "#ff0000", stroke: "dashed", arrows: "both" } as const;
    const to = (x: number, y: number) =>
      renderer.drawLine(
        {
          ...line,
          points: [
            { x: 10, y: 10 },
            { x, y },
          ],
        },
        screen,
      );
    expect(to(Number.NaN, 5)).toBeUndefined();
    expect(to(Number.POSITIVE_INFINITY, 5)?.place.width).toBeLessThanOrEqual(screen.width);
    expect(to(1e12, -1e12)?.place.width).toBeLessThanOrEqual(screen.width);
    expect(renderer.drawLine({ ...line, points: [{ x: 1, y: 1 }] }, screen)).toBeUndefined();
  });

  test("a text is measured as it is shown: on one line, cleaned, and truncated", () => {
    expect(renderer.measure("a\u202eb\n\u0000c")).toEqual(renderer.measure("ab c"));
    expect(renderer.measure("x".repeat(1_000_000)).width).toBeLessThan(1200);
    expect(renderer.measure("").height).toBe(renderer.measure("7").height);
  });
});

test("bare places take the colour of the background around them, and not that of an adjacent window", () => {
  const part = { x: 100, y: 50, width: 8, height: 1 };
  const colours = new Uint32Array([1, 1, 9, 9, 5, 5, 5, 5]);
  const pixels = new Uint8Array(colours.buffer);
  const drawn = [{ x: 102, y: 50, width: 2, height: 1 }];
  inpaint(pixels, part, { drawn, windows: [{ x: 104, y: 50, width: 4, height: 1 }], bare: drawn });
  expect([...colours]).toEqual([1, 1, 1, 1, 5, 5, 5, 5]);
});

describe("the drawing process is recorded where only its user can write", () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-record-"));
  const env = { XDG_RUNTIME_DIR: folder, DISPLAY: ":7.0" };
  const file = join(folder, "deskmap", "surface-7.json");
  afterAll(() => rmSync(folder, { recursive: true }));

  test("as this process, and removed afterwards", () => {
    const forget = writeRecord(env, 5);
    const record = readRecord(env);
    expect(record).toMatchObject({ pid: process.pid, sinceMs: 5 });
    expect(record !== undefined && isSameProcess(record, process.pid)).toBe(true);
    // The id of a process that has ended may be reused.
    expect(record !== undefined && isSameProcess({ ...record, started: 1 }, process.pid)).toBe(false);
    forget?.();
    expect(readRecord(env)).toBeUndefined();
  });

  test("a file that others could have written, a link or nonsense is not believed", () => {
    const forget = writeRecord(env, 5);
    const text = readFileSync(file, "utf8");
    chmodSync(join(folder, "deskmap"), 0o770);
    expect(readRecord(env)).toBeUndefined();
    expect(writeRecord(env, 6)).toBeUndefined();
    chmodSync(join(folder, "deskmap"), 0o700);
    expect(readRecord(env)).toBeDefined();
    forget?.();
    writeFileSync(join(folder, "elsewhere"), text);
    symlinkSync(join(folder, "elsewhere"), file);
    expect(readRecord(env)).toBeUndefined();
    rmSync(file);
    for (const nonsense of ["", "{", "[]", '{"pid":"1"}', "null"]) {
      writeFileSync(file, nonsense);
      expect(readRecord(env)).toBeUndefined();
    }
    rmSync(join(folder, "deskmap"), { recursive: true });
    mkdirSync(join(folder, "real"), { mode: 0o700 });
    symlinkSync(join(folder, "real"), join(folder, "deskmap"));
    expect(writeRecord(env, 7)).toBeUndefined();
  });
});

test("erased areas are remembered in tiles, adjacent ones merged, until their time is over", () => {
  const erased = new Erased(screen);
  erased.add([{ x: 10, y: 0, width: 30, height: 10 }], 100);
  erased.add([{ x: 990, y: 20, width: 500, height: 5 }], 200);
  expect(erased.list()).toEqual([
    { x: 0, y: 0, width: 48, height: 16 },
    { x: 976, y: 16, width: 32, height: 16 },
  ]);
  erased.forget(150);
  expect(erased.list()).toHaveLength(1);
  erased.forget(200);
  expect(erased.isEmpty).toBe(true);
});
