import { expect, test } from "bun:test";
import { parseSizeHints } from "../../../../src/platform/linux/x11/window-facts.ts";

test("size hints are those that their flags name", () => {
  // As xterm sets them: minimum size, increments and base size, among unused numbers.
  const flags = (1 << 4) | (1 << 6) | (1 << 8);
  const numbers = [flags, 0, 0, 0, 0, 10, 17, 9, 9, 6, 13, 0, 0, 0, 0, 4, 4, 1];
  expect(parseSizeHints(numbers)).toEqual({
    least: { width: 10, height: 17 },
    most: undefined,
    step: { width: 6, height: 13 },
    base: { width: 4, height: 4 },
  });
});

test("a window without hints, or with a truncated property, has none", () => {
  const none = { least: undefined, most: undefined, step: undefined, base: undefined };
  expect(parseSizeHints([])).toEqual(none);
  expect(parseSizeHints([0xffffffff, 1, 2])).toEqual(none);
});
