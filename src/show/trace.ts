import { cleanLine } from "../model/plain-text.ts";
import type { Lane, Span } from "../model/trace.ts";

/** Its start (after `originUs`), its duration, its lane and its name. */
export function showSpan({ lane, name, detail, startUs, tookUs, isFailed }: Span, originUs: number): string {
  const began = `+${toMs(startUs - originUs)}`.padStart(10);
  const took = toMs(tookUs).padStart(9);
  const words = [name, detail, isFailed === true ? "failed" : ""].filter((word) => word !== "");
  return `${began} ms ${took} ms  ${lane.padEnd(6)}  ${cleanLine(words.join("  "))}`;
}

function toMs(us: number): string {
  return (us / 1000).toFixed(1);
}

const lanes: readonly Lane[] = ["tool", "daemon", "guard", "read", "vision", "dbus", "x11", "map"];
/** Concurrent spans of one lane have tracks of their own, numbered from the lane's first. */
const tracksPerLane = 1000;

/**
 * Chrome's trace format, which Perfetto opens: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
 * Complete events of one track must not overlap except by nesting, so that concurrent spans have tracks of their own.
 */
export function toChromeTrace(spans: readonly Span[], titles: ReadonlyMap<number, string>): string {
  const ends = new Map<number, Map<number, number>>();
  const events: object[] = [];
  for (const span of spans.toSorted((a, b) => a.startUs - b.startUs)) {
    const tracks = ends.get(span.pid) ?? new Map<number, number>();
    ends.set(span.pid, tracks);
    let tid = (lanes.indexOf(span.lane) + 1) * tracksPerLane;
    while ((tracks.get(tid) ?? 0) > span.startUs) tid += 1;
    if (!tracks.has(tid)) {
      const order = { ph: "M", name: "thread_sort_index", pid: span.pid, tid, args: { sort_index: tid } };
      events.push(name("thread_name", span.pid, tid, span.lane), order);
    }
    tracks.set(tid, span.startUs + span.tookUs);
    const { name: what, lane: cat, detail, startUs: ts, tookUs: dur, pid, isFailed } = span;
    const args = isFailed === true ? { detail, isFailed } : { detail };
    events.push({ ph: "X", name: what, cat, ts, dur, pid, tid, args });
  }
  const processes = [...ends.keys()].map((pid) => name("process_name", pid, 0, titles.get(pid) ?? "deskmap daemon"));
  const lines = [...processes, ...events].map((event) => JSON.stringify(event));
  return `${chromeTraceStart}\n${lines.join(",\n")}\n],"displayTimeUnit":"ms"}\n`;
}

/** The start of a trace file: only such a file is overwritten. */
export const chromeTraceStart = '{"traceEvents":[';

function name(kind: string, pid: number, tid: number, given: string): object {
  return { ph: "M", name: kind, pid, tid, args: { name: given } };
}
