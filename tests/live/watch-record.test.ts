import { expect, test } from "bun:test";
import { WatchRecord } from "../../src/live/watch-record.ts";
import { fail, succeed } from "../../src/model/failure.ts";
import { makeView } from "../fixtures/elements.ts";

test("a running watch is logged once a minute, with a count", () => {
  let now = 0;
  const lines: string[] = [];
  const recordLasting = (_tool: string, apps: readonly string[], words: string) => {
    lines.push(`${apps.join()} ${words}`);
    return succeed(undefined);
  };
  const record = new WatchRecord({ recordLasting }, () => now);
  for (; now <= 130_000; now += 500) record.note(makeView([]));
  record.end();
  expect(lines).toEqual([
    "Mousepad begins",
    "Mousepad goes on, 121 looks so far",
    "Mousepad goes on, 241 looks so far",
    "Mousepad ends, 261 looks so far",
  ]);
});

test("what cannot be logged is not reported, and a watch that never looked leaves no line", () => {
  const failure = { code: "REFUSED", reason: "audit", message: "the disk is full", done: "nothing was done." } as const;
  const lines: string[] = [];
  const recordLasting = (_tool: string, _apps: readonly string[], words: string) => {
    lines.push(words);
    return fail<void>(failure);
  };
  const record = new WatchRecord({ recordLasting });
  record.end();
  expect(lines).toEqual([]);
  expect(record.note(makeView([]))).toEqual({ ok: false, failure });
});
