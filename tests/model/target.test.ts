import { describe, expect, test } from "bun:test";
import type { Source } from "../../src/model/source.ts";
import { judgeConfidence } from "../../src/model/target.ts";
import { fc } from "../property.ts";

const fresh = { source: "a11y" as Source, certainty: undefined, same: 0, missing: 0, hits: 0, misses: 0 };
const judge = (more: Partial<typeof fresh> = {}): number =>
  Math.round(judgeConfidence({ ...fresh, ...more }) * 1000) / 1000;

describe("confidence", () => {
  test("starts at 0.95 for platform elements, at 0.8 for taught ones, and at its certainty for pictured ones", () => {
    expect(judge()).toBe(0.95);
    expect(judge({ source: "learned" })).toBe(0.8);
    expect(Math.round(judgeConfidence({ ...fresh, source: "ocr", certainty: 0.9 }) * 1000)).toBe(720);
  });

  test("grows by a tenth with a sighting at the same place, by a twentieth with a hit, up to 0.99", () => {
    expect(judge({ source: "learned", same: 1 })).toBe(0.9);
    expect(judge({ source: "learned", hits: 1 })).toBe(0.85);
    expect(judge({ source: "learned", same: 5, hits: 50 })).toBe(0.99);
  });

  test("falls by 0.15 with a miss down to a tenth, and to four fifths with each snapshot in which it is gone", () => {
    expect(judge({ misses: 1 })).toBe(0.8);
    expect(judge({ misses: 2 })).toBe(0.65);
    expect(judge({ misses: 40 })).toBe(0.1);
    expect(judge({ missing: 1 })).toBe(0.76);
    expect(judge({ missing: 40 })).toBe(0.1);
  });

  test("falls less with a miss after many hits than with one after none", () => {
    expect(judge({ hits: 100, misses: 1 })).toBeGreaterThan(0.98);
    expect(judge({ hits: 1, misses: 1 })).toBeLessThan(0.91);
  });

  test("never falls on success and never grows on failure, and stays within its bounds", () => {
    const count = fc.integer({ min: 0, max: 300 });
    const learned = fc.record({ same: count, missing: count, hits: count, misses: count });
    fc.assert(
      fc.property(learned, fc.constantFrom<Source>("a11y", "ocr", "learned", "dom"), (counts, source) => {
        const one = { ...fresh, ...counts, source, certainty: source === "ocr" ? 0.7 : undefined };
        const now = judgeConfidence(one);
        expect(now).toBeGreaterThanOrEqual(0.1);
        expect(now).toBeLessThanOrEqual(0.99);
        for (const key of ["same", "hits"] as const) {
          expect(judgeConfidence({ ...one, [key]: one[key] + 1 })).toBeGreaterThanOrEqual(now);
        }
        for (const key of ["missing", "misses"] as const) {
          expect(judgeConfidence({ ...one, [key]: one[key] + 1 })).toBeLessThanOrEqual(now);
        }
      }),
    );
  });
});
