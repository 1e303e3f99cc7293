/** An expected outcome that is not success. It is returned, never thrown, and it is the caller's next instruction. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** What is there instead. */
  readonly nearest?: readonly string[];
  /** What to try. */
  readonly suggestion?: string;
  /** What was done before it failed. */
  readonly done: string;
}

export type FailureCode =
  | "USAGE"
  | "NOT_FOUND"
  | "AMBIGUOUS"
  | "UNAVAILABLE"
  | "TIMEOUT"
  | "FAILED"
  | "REFUSED"
  /** The element cannot do what was asked, and there is no safe other way. */
  | "PATTERN_UNSUPPORTED"
  /** Why a control is not ready for the pointer. */
  | "NOT_VISIBLE"
  | "DISABLED"
  | "MOVING"
  | "COVERED";

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export function succeed<T>(value: T): Result<T> {
  return { ok: true, value };
}

export function fail<T>(failure: Failure): Result<T> {
  return { ok: false, failure };
}

export const nothingDone = "nothing was done.";

/** 0 done, 1 not done, 2 wrong usage, 3 refused by the guard, 4 delivered but not confirmed. */
export function exitCodeOf(code: FailureCode): number {
  switch (code) {
    case "USAGE":
      return 2;
    case "REFUSED":
      return 3;
    default:
      return 1;
  }
}
