import type { Failure, FailureCode } from "../model/failure.ts";
import { isObject, isTextList } from "./record.ts";

export const nothingStarted = "nothing was started.";

/** The codes that sandbox functions use. */
const CODES: readonly FailureCode[] = ["USAGE", "NOT_FOUND", "UNAVAILABLE", "TIMEOUT", "FAILED"];

/** Thrown only by `openSandbox`, for callers that cannot continue without a sandbox. */
export class SandboxError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    const { code, message, suggestion = "", done } = failure;
    super(`${code}  ${message}\ntry: ${suggestion}   ${done}`);
    this.name = "SandboxError";
    this.failure = failure;
  }
}

export function isFailure(value: unknown): value is Failure {
  if (!isObject(value) || !CODES.some((code) => code === value.code)) return false;
  const { message, nearest, suggestion, done } = value;
  const isTextOrNone = suggestion === undefined || typeof suggestion === "string";
  const isListOrNone = nearest === undefined || isTextList(nearest);
  return typeof message === "string" && typeof done === "string" && isTextOrNone && isListOrNone;
}

export function readErrorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error ("ENOENT"), or "". */
export function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
