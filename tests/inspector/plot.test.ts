import { expect, test } from "bun:test";
import { layPlot } from "../../src/inspector/plot.ts";

const box = { width: 100, height: 50 };
const at = (hour: number): string => new Date(Date.UTC(2026, 2, 2, hour)).toISOString();

test("a value holds until the next, and the line ends at the right", () => {
  const moments = [
    { at: at(0), confidence: 1, hits: 0, misses: 0 },
    { at: at(5), confidence: 0.5, hits: 0, misses: 2 },
    { at: at(10), confidence: 0.6, hits: 1, misses: 2 },
  ];
  const { path, dots, words } = layPlot(moments, box);
  expect(path).toBe("M0 0H50V25H100V20");
  expect(dots.map(({ x, y }) => [x, y])).toEqual([
    [0, 0],
    [50, 25],
    [100, 20],
  ]);
  expect(words).toBe("Confidence from 1.00 to 0.60, between 0.50 and 1.00.");
});

test("one value is a dot, none is stated, and nothing leaves the box", () => {
  expect(layPlot([{ at: at(0), confidence: 2, hits: 0, misses: 0 }], box)).toMatchObject({ path: "M0 0" });
  expect(layPlot([], box)).toEqual({ path: "", dots: [], words: "Nothing is known of its past." });
});
