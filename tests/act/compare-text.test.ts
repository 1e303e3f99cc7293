import { expect, test } from "bun:test";
import { isInserted } from "../../src/act/compare-text.ts";

test.each([
  ["", "new", "new"],
  ["aa", "aaa", "a"],
  ["keep", "keep new", " new"],
  ["/home/f0.txt", "/tmp/f1.txt", "/tmp/f1.txt"],
  ["one two", "one three", "three"],
  ["ab ab", "ab ab ab", "ab "],
])("%p that became %p took %p in as a whole", (before, after, typed) => {
  expect(isInserted(before, after, typed)).toBe(true);
});

test.each([
  ["", "ne", "new"],
  ["", "newnew", "new"],
  ["keep", "kept new", " new"],
  ["aa", "aaaa", "a"],
])("%p that became %p did not take only %p in", (before, after, typed) => {
  expect(isInserted(before, after, typed)).toBe(false);
});
