import { expect, test } from "bun:test";
import { findSource, isPixelSource, sources } from "../../src/model/source.ts";

test("maps store a source's index in the table, so it never changes", () => {
  expect(sources).toEqual(["a11y", "ocr", "a11y+vision", "learned", "dom", "heuristic", "model"]);
});

test("a source is found by its name alone", () => {
  expect(sources.map(findSource)).toEqual([...sources]);
  expect(findSource("hearsay")).toBeUndefined();
  expect(findSource("toString")).toBeUndefined();
  expect(findSource(1)).toBeUndefined();
});

test("an element that the application exposes is no pixel target, even if a picture agrees", () => {
  expect(sources.filter(isPixelSource)).toEqual(["ocr", "learned", "heuristic", "model"]);
});
