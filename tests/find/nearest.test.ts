import { expect, test } from "bun:test";
import { nearest } from "../../src/find/nearest.ts";
import { fc } from "../property.ts";

test("what contains the query comes first, then what is spelt most like it", () => {
  expect(nearest("save", ["Open", "Safe", "Save As…", "Print"])).toEqual(["Save As…", "Safe", "Open"]);
});

test("a long title is not punished for its length", () => {
  expect(nearest("reprot", ["Notes", "The yearly report of everything.odt"])[0]).toBe(
    "The yearly report of everything.odt",
  );
});

test("an empty name is never the nearest to anything", () => {
  expect(nearest("Save", ["", "Safe"])[0]).toBe("Safe");
});

test("only names that are there are offered, each once, and no more than asked for", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), fc.integer({ min: 1, max: 5 }), (query, candidates, most) => {
      const near = nearest(query, candidates, most);
      expect(near.length).toBeLessThanOrEqual(most);
      expect(new Set(near).size).toBe(near.length);
      for (const name of near) expect(candidates).toContain(name);
    }),
  );
});

test("names of a megabyte take no time to compare", () => {
  const started = performance.now();
  nearest("x".repeat(1_000_000), ["y ".repeat(500_000), "z".repeat(1_000_000)]);
  expect(performance.now() - started).toBeLessThan(2000);
});
