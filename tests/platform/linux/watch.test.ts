import { describe, expect, test } from "bun:test";
import { Signs } from "../../../src/platform/linux/watch.ts";

describe("signs of change", () => {
  test("are kept until they are taken, each once, oldest first", () => {
    const signs = new Signs();
    signs.add("pixels", undefined);
    signs.add("event", "a");
    signs.add("pixels", undefined);
    signs.add("event", "b");
    expect(signs.take().map(({ source, handle }) => handle ?? source)).toEqual(["pixels", "a", "b"]);
    expect(signs.take()).toEqual([]);
  });

  test("wake a waiter, and an earlier one is returned at once", async () => {
    const signs = new Signs();
    const waiting = signs.waitForSign(10_000);
    signs.add("windows", undefined);
    expect(await waiting).toEqual({ source: "windows", handle: undefined });
    expect(await signs.waitForSign(10_000)).toEqual({ source: "windows", handle: undefined });
    signs.take();
    expect(await signs.waitForSign(1)).toBeUndefined();
  });

  test("that continue prevent stillness", async () => {
    const signs = new Signs();
    const timer = setInterval(() => signs.add("pixels", undefined), 5);
    expect(await signs.waitForStillness(1000, 50)).toBe(false);
    clearInterval(timer);
    expect(await signs.waitForStillness(1, 10_000)).toBe(true);
  });

  test("are no longer waited for after the end", async () => {
    const signs = new Signs();
    const waiting = signs.waitForSign(10_000);
    signs.end();
    expect(await waiting).toBeUndefined();
  });
});
