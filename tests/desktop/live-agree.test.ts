import { describe, expect, test } from "bun:test";
import { casesOf } from "../tier.ts";
import type { Kit } from "./controls-scene.ts";
import { drive } from "./live-drive.ts";

// A mirror that is wrong is worse than none: whatever happens to an application, it must match a cold read.

const kits = casesOf<[Kit, number]>(
  [["gtk3", 10]],
  [
    ["gtk4", 10],
    ["qt5", 10],
    ["firefox", 6],
    ["chromium", 6],
  ],
);

describe("the mirror of an application that is clicked, typed into, scrolled, moved and resized", () => {
  test.each(kits)("agrees with a cold read: %s", async (kit, steps) => {
    const { lasting, figures } = await drive(kit, { steps, seed: 11 });
    expect(lasting).toEqual([]);
    expect(figures.partReads).toBeGreaterThan(0);
    // Everything is read once at the start; again only after a timeout, which a busy machine may cause.
    const counts = Object.values(figures.wholeReadReasons);
    expect(figures.wholeReadReasons["first read"]).toBe(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(figures.wholeReads);
    const others = Object.keys(figures.wholeReadReasons).filter(
      (reason) => !/^first read|^it did not answer/.test(reason),
    );
    expect(others).toEqual([]);
  });
});
