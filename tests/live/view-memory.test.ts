import { describe, expect, test } from "bun:test";
import { ViewMemory } from "../../src/live/view-memory.ts";
import { makeMarked, makeView } from "../fixtures/elements.ts";

const view = makeView([makeMarked(1, { name: "Save" })]);
const limits = { maxViews: 4, maxBytes: 1 << 20, maxAgeMs: 1000, maxViewsOfWatch: 2 };

describe("a token", () => {
  test("leads to the view that it was issued for", () => {
    const memory = new ViewMemory();
    expect(memory.recall("cli", "all", memory.keep("cli", "all", view))).toEqual({ view });
  });

  test("is short, does not look like an option, and is unique", () => {
    const memories = Array.from({ length: 100 }, () => new ViewMemory());
    const tokens = memories.flatMap((memory) => [memory.keep("cli", "all", view), memory.keep("cli", "all", view)]);
    expect(new Set(tokens).size).toBe(200);
    for (const token of tokens) expect(token).toMatch(/^[0-9a-z]{2,14}\.[0-9a-z]$/);
  });

  test("of another process is distinguished from an expired one", () => {
    let now = 0;
    const memory = new ViewMemory(limits, () => now);
    const token = memory.keep("cli", "all", view);
    expect(memory.recall("cli", "all", new ViewMemory().keep("cli", "all", view))).toEqual({ reason: "restarted" });
    expect(memory.recall("cli", "all", "nonsense")).toEqual({ reason: "restarted" });
    now = 1001;
    expect(memory.recall("cli", "all", token)).toEqual({ reason: "expired" });
  });

  test("is valid for the same selection only", () => {
    const memory = new ViewMemory();
    const token = memory.keep("cli", "all", view);
    expect(memory.recall("cli", "buttons", token)).toEqual({ reason: "other-selection" });
  });

  test("of one client shows another nothing", () => {
    const memory = new ViewMemory();
    const token = memory.keep("cli", "all", view);
    expect(memory.recall("mcp", "all", token)).toEqual({ reason: "expired" });
  });
});

describe("the memory", () => {
  test("is bounded in number: the oldest go first", () => {
    const memory = new ViewMemory(limits);
    const tokens = Array.from({ length: 6 }, () => memory.keep("cli", "all", view));
    const isKept = (token: string): boolean => "view" in memory.recall("cli", "all", token);
    expect(tokens.map(isKept)).toEqual([false, false, true, true, true, true]);
  });

  test("is bounded in size, except for the newest view; shared parts of views are counted once", () => {
    const big = () => makeView([makeMarked(1, { value: "x".repeat(300_000) })]);
    const memory = new ViewMemory(limits);
    for (let count = 0; count < 4; count += 1) memory.keep("cli", "all", big());
    expect(memory.figures().views).toBe(1);
    const shared = big();
    const sharing = new ViewMemory(limits);
    for (let count = 0; count < 4; count += 1) sharing.keep("cli", "all", { ...shared, takenAtMs: count });
    expect(sharing.figures().views).toBe(4);
    expect(sharing.figures().bytes).toBeLessThan(limits.maxBytes);
  });

  test("of one watch is its last views: it does not evict what others keep", () => {
    const memory = new ViewMemory(limits);
    const other = memory.keep("cli", "all", view);
    const watch = {};
    for (let count = 0; count < 20; count += 1) memory.keep("cli", "all", view, watch);
    expect(memory.recall("cli", "all", other)).toEqual({ view });
    expect(memory.figures().views).toBe(3);
  });
});
