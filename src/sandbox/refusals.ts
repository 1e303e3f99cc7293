import { messageOf } from "../model/caught.ts";
import { type Failure, makeFailure } from "../model/failure.ts";
import { NoBoundary } from "./boundary.ts";
import { PartError } from "./desktop-parts.ts";
import { nothingStarted, StartRefused } from "./options.ts";
import type { SandboxRecord } from "./record.ts";

export function explainNameTaken(name: string): Failure {
  const suggestion = `another --name, or: deskmap sandbox stop ${name}`;
  return makeFailure("UNAVAILABLE", `a sandbox named "${name}" is running already`, suggestion, {
    done: nothingStarted,
  });
}

export function explainUnknownName(name: string, running: readonly SandboxRecord[]): Failure {
  const names = running.map((record) => record.name);
  return makeFailure(
    "NOT_FOUND",
    `no sandbox named "${name}" is running${names.length === 0 ? ", and no other" : ""}`,
    names.length === 0 ? `deskmap sandbox --detach --name ${name}` : "one of these names.",
    { nearest: names },
  );
}

export function explainStartFailure(error: unknown): Failure {
  const done = "what had been started was ended and removed.";
  if (error instanceof StartRefused) return { ...error.failure, done };
  if (error instanceof NoBoundary) {
    const message = `the sandbox was to be bounded, and cannot be: ${error.message}`;
    return makeFailure("UNAVAILABLE", message, "mend that, or leave --bounded out.", { done });
  }
  const log = error instanceof PartError ? error.log : "";
  const message = `the sandbox could not be opened: ${messageOf(error)}`;
  const isLate = isTimeout(error) || (error instanceof PartError && isTimeout(error.cause));
  return {
    code: isLate ? "TIMEOUT" : "FAILED",
    message: log === "" ? message : `${message}\nlast lines of its log:\n${log}`,
    suggestion: isLate
      ? "try again with a longer --timeout-ms; the machine may be busy."
      : "run the part by hand to see why; free memory, processes and disk space are the usual reasons.",
    done,
  };
}

export function explainStopFailure(name: string, left: string): Failure {
  const message = `the sandbox "${name}" is not completely gone: ${left} is left`;
  const done = "everything that could be ended was ended.";
  return makeFailure("FAILED", message, `try again: deskmap sandbox stop ${name}`, { done });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
