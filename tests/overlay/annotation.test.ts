import { describe, expect, test } from "bun:test";
import { findPathTrouble, maxPathLength } from "../../src/model/path-data.ts";
import { parseColour, parseLabel, parsePath, parseSize } from "../../src/overlay/annotation.ts";
import { fc } from "../property.ts";

const box = { width: 100, height: 100 };

describe("an outline", () => {
  test("is SVG path data, in any notation", () => {
    const written = [
      "M0 0 L100 100",
      "m10,10l5-5.5.5.5z",
      "M 0 0 C 1 2 3 4 5 6 S 1 2 3 4 Q 1 2 3 4 T 5 6 A 1 1 0 0 1 9 9 H 4 V 5 Z",
      "M1e2 3 5 6 7 8",
      "M0 0 a5 5 0 0110 10",
    ];
    for (const path of written) expect(findPathTrouble(path, box)).toBeUndefined();
  });

  test("that is invalid is refused with a message", () => {
    const wrong: readonly (readonly [string, string])[] = [
      ["", "it does not start with M"],
      ["L0 0", "it does not start with M"],
      ["M0 0 X1", "unknown command X"],
      ["M0 0 L1", "L takes 2 numbers, or as many again"],
      ["M0 0 Z 1", "Z takes 0 numbers, or as many again"],
      ["M0 0 L1e9 0", "1e9 is too far away"],
      ["M0 50 A50 50 0 2 1 100 50", "the fourth and fifth number of an arc are 0 or 1"],
      ["M0 0; rm -rf", 'unexpected "; rm -rf"'],
      ["M0 0<script>", 'unexpected "<script>"'],
      [`M0 0${"L1 1".repeat(600)}`, "it has more than 500 pieces"],
      ["M".repeat(maxPathLength + 1), `it is longer than ${maxPathLength} characters`],
    ];
    for (const [path, trouble] of wrong) expect(findPathTrouble(path, box)).toBe(trouble);
    expect(parsePath("L0 0", box)).toMatchObject({ ok: false, failure: { code: "USAGE" } });
  });

  test("stays near its box, however it leaves it", () => {
    const tiny = { width: 1, height: 1 };
    const far = [
      "M0 0 L1000000 0",
      `M0 0 ${"l1 1".repeat(50)}`,
      "M0 0 h3 h3",
      "M0 0 v-3 v-3",
      "M0 0 C 0 0 900 0 1 1",
      "M0 0 S 900 0 1 1",
      "M0 0 Q 0 900 1 1",
      "M0 0 A 900 900 0 1 1 1 1",
      "M0 0.5 A 2.5 2.5 0 0 1 1 0.5",
      "M0 0 A 0.3 0.3 0 0 1 3.5 0",
      "M0 0 A 5 1 90 1 1 1 1",
      `M0 0 Q 1 0 4 0 ${"T -4 0 T 4 0".repeat(9)}`,
      "m3 0 m3 0",
      "M0 0 1 1 900 900",
    ];
    for (const path of far) expect(findPathTrouble(path, tiny)).toContain("more than 4 times its box");
    const near = [
      "M-4 -4 L5 5",
      "M1 1 z l4 4",
      "M0 0 A 1 1 0 0 1 1 1",
      "M0 0 C -1 -1 2 2 1 1 S 2 2 1 1",
      "M0 0 q1 0 1 1 t1 1",
    ];
    for (const path of near) expect(findPathTrouble(path, tiny)).toBeUndefined();
  });

  test("is checked quickly, whatever it contains", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 5000 }), (path) => expect(() => findPathTrouble(path, box)).not.toThrow()),
    );
  });
});

describe("an annotation's style", () => {
  test("is accepted as people write it", () => {
    expect(parseColour("#D6336C")).toEqual({ ok: true, value: "#d6336c" });
    expect(parseColour("1864ab")).toEqual({ ok: true, value: "#1864ab" });
    expect(parseSize("200x50")).toEqual({ ok: true, value: { width: 200, height: 50 } });
  });

  test("is refused if invalid", () => {
    for (const colour of ["red", "#12", "#1864ab; x"]) expect(parseColour(colour).ok).toBe(false);
    for (const size of ["0x5", "5", "1x10001", "-1x1"]) expect(parseSize(size).ok).toBe(false);
  });

  test("has text in which nothing is hidden, and not too much", () => {
    expect(parseLabel("press\u202e this\nnow")).toEqual({ ok: true, value: "press this now" });
    expect(parseLabel("\u200b\u200b").ok).toBe(false);
    const long = parseLabel("a".repeat(5000));
    expect(long.ok && long.value.length).toBe(80);
  });
});
