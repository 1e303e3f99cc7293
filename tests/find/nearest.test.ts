import { expect, test } from "bun:test";
import { nearest } from "../../src/find/nearest.ts";
import { fc } from "../property.ts";

test("names that contain the query come first, then the most similar ones", () => {
  expect(nearest("save", ["Open", "Safe", "Save As…", "Print"])).toEqual(["Save As…", "Safe", "Open"]);
});

test("a long title is not penalised for its length", () => {
  expect(nearest("reprot", ["Notes", "The yearly report of everything.odt"])[0]).toBe(
    "The yearly report of everything.odt",
  );
});

test("an empty name is never near anything", () => {
  expect(nearest("Save", ["", "Safe"])[0]).toBe("Safe");
});

test("only existing names are suggested, each once, and no more than requested", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), fc.integer({ min: 1, max: 5 }), (query, candidates, most) => {
      const near = nearest(query, candidates, most);
      expect(near.length).toBeLessThanOrEqual(most);
      expect(new Set(near).size).toBe(near.length);
      for (const name of near) expect(candidates).toContain(name);
    }),
  );
});

test("names of a megabyte are compared quickly", () => {
  const started = performance.now();
  nearest("x".repeat(1_000_000), ["y ".repeat(500_000), "z".repeat(1_000_000)]);
  expect(performance.now() - started).toBeLessThan(2000);
});
