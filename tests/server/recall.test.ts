import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { Journal } from "../../src/host/journal.ts";
import type { RecordedAction } from "../../src/model/demo.ts";
import { openDaemonScene } from "./daemon-scene.ts";

const makeAction = (atMs: number, more: Partial<RecordedAction> = {}): Omit<RecordedAction, "n"> => ({
  atMs,
  tookMs: 1,
  by: "agent",
  client: "test",
  tool: "click",
  input: {},
  aim: "control",
  ...more,
});

test("the journal has the last 500 actions of the last 30 minutes, oldest first", () => {
  let nowMs = 10_000_000;
  const journal = new Journal(() => nowMs);
  for (let at = 0; at < 600; at += 1) journal.add(makeAction(nowMs + at), []);
  const kept = journal.recall().map(({ action }) => action);
  expect([kept.length, kept[0]?.n, kept.at(-1)?.n]).toEqual([500, 101, 600]);
  expect(journal.recall({ sinceMs: nowMs + 590 })).toHaveLength(10);
  journal.add(makeAction(nowMs, { client: "other" }), []);
  expect(journal.recall({ client: "other" }).map(({ action }) => action.n)).toEqual([601]);
  nowMs += 30 * 60_000 + 300;
  expect(journal.recall()).toHaveLength(300);
  nowMs += 1000;
  expect(journal.recall()).toEqual([]);
});

test("a client of the daemon recalls actions, without those on applications that must not be read", async () => {
  const scene = openDaemonScene();
  try {
    const client = await scene.connect();
    const nowMs = Date.now();
    scene.runtime.journal.add(makeAction(nowMs, { app: "pad", client: "one" }), ["pad"]);
    scene.runtime.journal.add(makeAction(nowMs + 1, { app: "keepassxc" }), ["KeePassXC", "keepassxc"]);
    scene.runtime.journal.add(makeAction(nowMs + 2, { app: "pad", client: "two" }), ["pad"]);
    const all = await client.recall();
    expect(all).toMatchObject({
      ok: true,
      value: [
        { n: 1, client: "one" },
        { n: 3, client: "two" },
      ],
    });
    expect(await client.recall({ client: "two" })).toMatchObject({ ok: true, value: [{ n: 3 }] });
    expect(await client.recall({ sinceMs: nowMs + 3 })).toEqual({ ok: true, value: [] });
    const { stopped } = findPlaces(scene.env);
    mkdirSync(dirname(stopped), { recursive: true });
    writeFileSync(stopped, JSON.stringify({ atMs: nowMs, by: "test" }));
    expect(await client.recall()).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "stopped" } });
    await client.close();
  } finally {
    await scene.close();
  }
});
