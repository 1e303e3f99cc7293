import { expect, test } from "bun:test";
import { listenOnBoth } from "../../src/server/listen.ts";

// Servers that only note where they listen. Another user has these ports of the second address.

const free = 5000;
function makeListen(...taken: readonly number[]) {
  const open = new Set<string>();
  let next = free;
  const listen = (hostname: string, wanted: number) => {
    const port = wanted === 0 ? next : wanted;
    next += wanted === 0 ? 1 : 0;
    const place = `${hostname} ${port}`;
    if (hostname === "::1" && taken.includes(port)) throw new Error("address in use");
    open.add(place);
    return {
      port,
      stop: async () => {
        open.delete(place);
      },
    };
  };
  return { open, listen };
}

test("a port that another user has on one of the addresses is listened on at neither", () => {
  const { open, listen } = makeListen(80);
  expect(listenOnBoth(80, listen, true)).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
  expect([...open]).toEqual([]);
});

test("any free port is one that is free on both", () => {
  const { open, listen } = makeListen(free, free + 1);
  expect(listenOnBoth(0, listen, true).ok).toBe(true);
  expect([...open]).toEqual([`127.0.0.1 ${free + 2}`, `::1 ${free + 2}`]);
});

test("a machine without the second address has the first alone", () => {
  const { open, listen } = makeListen();
  expect(listenOnBoth(80, listen, false).ok).toBe(true);
  expect([...open]).toEqual(["127.0.0.1 80"]);
});
