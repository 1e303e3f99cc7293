import { describe, expect, test } from "bun:test";
import { cleanText, shorten, shortenStart, showExactly } from "../../src/model/plain-text.ts";
import { fc } from "../property.ts";

const pieces = fc.constantFrom(
  "a",
  " ",
  "\n",
  "\r\n",
  "\t",
  "\u0000",
  "\u202e",
  "\u200b",
  "\u00ad",
  "😀",
  "\ud800",
  "é",
);
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(pieces, { maxLength: 40 }).map((list) => list.join("")),
);
const anyLength = fc.integer({ min: 1, max: 40 });

describe("cleaned text from applications", () => {
  test("is on one line, bounded, well formed, and free of control characters and direction marks", () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, maxLength) => {
        const clean = cleanText(text, maxLength);
        expect(clean.length).toBeLessThanOrEqual(maxLength);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u200b]/u);
        expect(clean.trim()).toBe(clean);
      }),
      { numRuns: 500 },
    );
  });

  test("does not change when it is cleaned again", () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, maxLength) => {
        const clean = cleanText(text, maxLength);
        expect(cleanText(clean, maxLength)).toBe(clean);
      }),
      { numRuns: 500 },
    );
  });

  test("keeps ordinary words of every script as they are", () => {
    for (const text of ["Save As…", "Größe", "保存", "حفظ", "שמור", "नमस्ते", "Ünï_cödé-1", "می‌خواهم", "👩‍👩‍👧‍👦"]) {
      expect(cleanText(text, 100)).toBe(text);
    }
  });

  test("has a space in place of a line end or a tab", () => {
    expect(cleanText("one\ntwo\r\nthree\tfour\u2028five", 100)).toBe("one two three four five");
  });

  test("cannot pass for another text by reversing its direction", () => {
    expect(cleanText("invoice\u202egnp.exe", 100)).toBe("invoicegnp.exe");
  });

  test("is computed quickly for a label of many megabytes", () => {
    const started = performance.now();
    expect(cleanText("\u200bx ".repeat(4_000_000), 1000).length).toBeLessThanOrEqual(1000);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("a truncated text", () => {
  test("is never longer than allowed and says that it was truncated", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), anyLength, (text, maxLength) => {
        const short = shorten(text, maxLength);
        expect(short.length).toBeLessThanOrEqual(maxLength);
        if (text.length <= maxLength) expect(short).toBe(text);
        else expect(short.endsWith("…")).toBe(true);
      }),
    );
  });

  test("never splits a character", () => {
    const wellFormed = fc.string({ unit: "binary", maxLength: 60 }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(wellFormed, anyLength, (text, maxLength) => {
        expect(shorten(text, maxLength).isWellFormed()).toBe(true);
      }),
    );
    expect(shorten("ab😀cd", 4)).toBe("ab…");
  });
});

describe("a text truncated at its start", () => {
  test("keeps its end, within the limit, and no half character", () => {
    fc.assert(
      fc.property(anyText, anyLength, (text, maxLength) => {
        const whole = text.toWellFormed();
        const cut = shortenStart(whole, maxLength);
        expect(cut.length).toBeLessThanOrEqual(maxLength);
        expect(cut.isWellFormed()).toBe(true);
        expect(whole.endsWith(cut.startsWith("…") ? cut.slice(1) : cut)).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(shortenStart("one two three", 6)).toBe("…three");
    expect(shortenStart("three", 5)).toBe("three");
  });
});

test("what a font may not show is an escape where a text is shown exactly", () => {
  for (const hidden of [
    "\ufe00",
    "\ufe0f",
    "\u{e0100}",
    "\u{e01ef}",
    "\u{1d159}",
    "\u{13441}",
    "\ue000",
    "\u{10fffd}",
    "\u0378",
  ]) {
    const shown = showExactly(`漢${hidden}a`);
    expect(shown).toMatch(/^"漢(\\u[0-9a-f]{4})+a"$/);
    expect(JSON.parse(shown)).toBe(`漢${hidden}a`);
  }
});
