import { expect, test } from "bun:test";
import type { Lane, Span } from "../../src/model/trace.ts";
import { showSpan, toChromeTrace } from "../../src/show/trace.ts";

function span(lane: Lane, startUs: number, tookUs: number, more: Partial<Span> = {}): Span {
  return { lane, name: "A.b", detail: "", startUs, tookUs, pid: 1, ...more };
}

test("a line has the time, duration, peer and operation, without terminal control characters", () => {
  expect(showSpan(span("dbus", 1_012_300, 4100, { detail: "zenity /a" }), 1_000_000)).toBe(
    "     +12.3 ms       4.1 ms  dbus    A.b  zenity /a",
  );
  const evil = showSpan(span("x11", 0, 1, { detail: "\u001b[2J\nline", isFailed: true }), 0);
  expect(evil).toMatch(/failed$/);
  expect(evil).not.toContain("\u001b");
  expect(evil).not.toContain("\n");
});

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: Readonly<Record<string, unknown>>;
}

test("a Chrome trace names processes and tracks, and no two spans of a track overlap", () => {
  const spans = [
    span("dbus", 100, 50),
    span("dbus", 110, 50, { isFailed: true }),
    span("dbus", 120, 5, { pid: 2 }),
    span("dbus", 155, 10),
    span("map", 90, 200),
  ];
  const { traceEvents, displayTimeUnit }: { traceEvents: readonly Event[]; displayTimeUnit: string } = JSON.parse(
    toChromeTrace(spans, new Map([[1, "deskmap read"]])),
  );
  expect(displayTimeUnit).toBe("ms");
  const named = traceEvents.filter(({ name }) => name === "process_name").map(({ pid, args }) => [pid, args.name]);
  expect(named).toEqual([
    [1, "deskmap read"],
    [2, "deskmap daemon"],
  ]);
  const complete = traceEvents.filter(({ ph }) => ph === "X");
  expect(complete.map(({ ts, dur }) => [ts, dur])).toEqual([
    [90, 200],
    [100, 50],
    [110, 50],
    [120, 5],
    [155, 10],
  ]);
  expect(complete[2]?.args).toEqual({ detail: "", isFailed: true });
  const byTrack = Map.groupBy(complete, ({ pid, tid }) => `${pid}/${tid}`);
  expect(byTrack.size).toBe(4);
  for (const track of byTrack.values()) {
    track.forEach(({ ts }, at) => {
      const before = track[at - 1];
      expect(ts).toBeGreaterThanOrEqual(before === undefined ? 0 : before.ts + before.dur);
    });
    const [first] = track;
    const isNamed = (event: Event) =>
      event.name === "thread_name" && event.tid === first?.tid && event.pid === first.pid;
    expect(traceEvents.filter(isNamed)).toHaveLength(1);
  }
});
