import type { Env } from "../model/env.ts";
import { type Failure, type Result, succeed } from "../model/failure.ts";
import { type Span, Trace, traceProcess } from "../model/trace.ts";
import { chromeTraceStart, showSpan, toChromeTrace } from "../show/trace.ts";
import { writeWhole } from "../tools/write-file.ts";
import { findOutputFile } from "./output-file.ts";

/** Whether DESKMAP_LOG asks for what --verbose shows. */
export function isLogWanted({ DESKMAP_LOG: level = "" }: Env): boolean {
  return ["debug", "trace", "all"].includes(level.toLowerCase());
}

/**
 * Traces this process until `finish` is called: shows each span on standard error, writes all of them to a file, or both.
 * Refuses to overwrite a file that is not a trace, before anything is done.
 */
export function startTracing(
  title: string,
  { isVerbose, file }: { isVerbose: boolean; file: string | undefined },
): Result<{ finish(): Failure | undefined }> {
  const place =
    file === undefined
      ? succeed(undefined)
      : findOutputFile("--trace", file, { what: "a trace", start: chromeTraceStart });
  if (!place.ok) return place;
  const path = place.value;
  const originUs = Math.round((performance.timeOrigin + performance.now()) * 1000);
  const kept = new Trace();
  const trace = new Trace((span: Span) => {
    if (path !== undefined) kept.add(span);
    if (isVerbose) process.stderr.write(`${showSpan(span, originUs)}\n`);
  });
  traceProcess(trace);
  return succeed({
    finish: () => {
      traceProcess(undefined);
      return path === undefined
        ? undefined
        : writeTrace(path, toChromeTrace(kept.take(), new Map([[process.pid, title]])));
    },
  });
}

function writeTrace(path: string, text: string): Failure | undefined {
  const written = writeWhole(path, Buffer.from(text));
  return written.ok
    ? undefined
    : { ...written.failure, message: `the trace ${written.failure.message}`, done: "the command itself was done." };
}
