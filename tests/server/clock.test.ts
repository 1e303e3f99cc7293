import { afterEach, expect, setSystemTime, test } from "bun:test";
import { HeldTurns } from "../../src/host/held-turns.ts";
import { ViewMemory } from "../../src/live/view-memory.ts";
import { WatchRecord } from "../../src/live/watch-record.ts";
import { succeed } from "../../src/model/failure.ts";
import { AwakeClock } from "../../src/server/daemon/awake-clock.ts";
import { waitFor } from "../desktop/scene.ts";
import { openDaemonScene, readPad } from "./daemon-scene.ts";

// A clock that is set, or that jumps ahead after the machine was asleep.

const dayMs = 24 * 60 * 60_000;
afterEach(() => {
  setSystemTime();
});

const jump = (byMs: number): void => {
  setSystemTime(new Date(Date.now() + byMs));
};

test("a suspension of minutes counts as a moment, and a clock never runs backwards", () => {
  let nowMs = 1000;
  const clock = new AwakeClock(100, () => nowMs);
  const seen = [50, 0, 600_000, 80].map((stepMs) => {
    nowMs += stepMs;
    return clock.read();
  });
  expect(seen).toEqual([50, 50, 150, 230]);
});

test.each([dayMs, -dayMs])("a daemon whose clock is set by %p ms exits on time", async (byMs) => {
  let examinations = 0;
  const scene = openDaemonScene({ idleMs: 200 }, undefined, async () => {
    examinations += 1;
    return succeed(undefined);
  });
  const client = await scene.connect();
  jump(byMs);
  const { leavesAtMs } = await client.status();
  expect(leavesAtMs).toBeUndefined();
  examinations = 0;
  await waitFor("some examinations in the other time", () => examinations > 3);
  expect(client.isOpen).toBe(true);
  await client.close();
  expect(await scene.daemon.left).toBe("nobody needed it");
  await scene.close();
});

test.each([dayMs, -dayMs])("a view from before a jump of %p ms is still compared with", async (byMs) => {
  const scene = openDaemonScene();
  const client = await scene.connect();
  const first = await client.call({ ...readPad, input: { app: "pad", token: true } });
  const { token } = JSON.parse(first.outputs.json ?? "{}");
  jump(byMs);
  const second = await client.call({ ...readPad, input: { app: "pad", since: token } });
  expect(JSON.parse(second.outputs.json ?? "{}")).toMatchObject({ changes: [] });
  await client.close();
  await scene.close();
});

test("views expire by elapsed time, not by the clock", () => {
  const memory = new ViewMemory();
  const token = memory.keep("one", "query", { takenAtMs: 0, windows: [] });
  jump(dayMs);
  expect(memory.recall("one", "query", token)).toMatchObject({ view: { windows: [] } });
});

test("a watch is logged every minute though the clock was set back", () => {
  let nowMs = 0;
  const written: string[] = [];
  const recordLasting = (_tool: string, _apps: readonly string[], words: string) => {
    written.push(words);
    return succeed(undefined);
  };
  const record = new WatchRecord({ recordLasting }, () => nowMs);
  record.note({ takenAtMs: 0, windows: [] });
  jump(-dayMs);
  nowMs = 61_000;
  record.goOn();
  expect(written).toEqual(["begins", "goes on, 1 look so far"]);
});

test.each([dayMs, -dayMs])("a turn ends on time, whatever the clock says: %p ms", async (byMs) => {
  const turns = new HeldTurns<undefined>();
  const user = { client: "one", connection: {} };
  let isClosed = false;
  const session = {
    hold: <T>(_tool: string, work: (held: undefined) => Promise<T>) => work(undefined),
    interrupted: new Promise<unknown>(() => {}),
    close: () => {
      isClosed = true;
    },
  };
  const begun = await turns.begin(session, { forMs: 150, client: "one", owner: undefined, abort: () => {} });
  jump(byMs);
  expect(begun.ok).toBe(true);
  const { turn } = begun.ok ? begun.value : { turn: "" };
  // A clock that is ahead ends nothing early.
  expect(turns.findEnd(turn, user)).toBeUndefined();
  await waitFor("the end of the turn", () => isClosed);
  expect(turns.findEnd(turn, user)?.message).toContain("its time was up");
});
