import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import type { Env } from "../model/env.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { type Span, Trace, traceProcess } from "../model/trace.ts";
import { chromeTraceStart, showSpan, toChromeTrace } from "../show/trace.ts";
import { writeWhole } from "../tools/write-file.ts";

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
  const refused = file === undefined ? undefined : refuseFile(file);
  if (refused !== undefined) return fail(refused);
  const originUs = Math.round((performance.timeOrigin + performance.now()) * 1000);
  const kept = new Trace();
  const trace = new Trace((span: Span) => {
    if (file !== undefined) kept.add(span);
    if (isVerbose) process.stderr.write(`${showSpan(span, originUs)}\n`);
  });
  traceProcess(trace);
  return succeed({
    finish: () => {
      traceProcess(undefined);
      return file === undefined
        ? undefined
        : writeTrace(file, toChromeTrace(kept.take(), new Map([[process.pid, title]])));
    },
  });
}

/** Only a trace is overwritten, and no link is followed: a mistyped name must not destroy a document. */
function refuseFile(path: string): Failure | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && readStart(path) === chromeTraceStart)) return undefined;
  return describeUsage(`--trace "${path}" is there and is no trace`, "give a new name, or that of an older trace.");
}

function readStart(path: string): string {
  const start = Buffer.alloc(chromeTraceStart.length);
  const descriptor = openSync(path, "r");
  try {
    return start.toString("latin1", 0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}

function writeTrace(path: string, text: string): Failure | undefined {
  const written = writeWhole(path, Buffer.from(text));
  return written.ok
    ? undefined
    : { ...written.failure, message: `the trace ${written.failure.message}`, done: "the command itself was done." };
}
