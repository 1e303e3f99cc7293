import { expect, test } from "bun:test";
import { findSource, isPixelSource, sources } from "../../src/model/source.ts";

test("the place of a source in the table is what maps store, so it never changes", () => {
  expect(sources).toEqual(["a11y", "ocr", "a11y+vision", "learned", "dom", "heuristic", "model"]);
});

test("a map that was exported when recognised text was called vision still opens", () => {
  expect(findSource("vision")).toBe("ocr");
  expect(sources.map(findSource)).toEqual([...sources]);
  expect(findSource("hearsay")).toBeUndefined();
  expect(findSource("toString")).toBeUndefined();
  expect(findSource(1)).toBeUndefined();
});

test("what an application tells of is no pixel target, also where a picture agrees", () => {
  expect(sources.filter(isPixelSource)).toEqual(["ocr", "learned", "heuristic", "model"]);
});
