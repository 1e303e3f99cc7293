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
  /** Of what the guard refused: which of its rules. */
  readonly reason?: RefusalReason;
  /** When it may be tried again, where that is known. */
  readonly retryAfterMs?: number;
}

type RefusalReason =
  /** A person has stopped everything. */
  | "stopped"
  /** The policy file cannot be understood. */
  | "policy"
  | "read-only"
  /** The application is never looked at. */
  | "blind"
  /** The application may be read, not controlled. */
  | "hands-off"
  /** A rule of the policy forbids it. */
  | "rule"
  | "rate"
  /** Another client has the desktop, or a person is being asked. */
  | "turn"
  /** A person would have to allow it, and none can be asked, or none answered, or one said no. */
  | "unasked"
  | "unanswered"
  | "denied"
  /** What is done cannot be written down. */
  | "audit"
  | "secret";

export type FailureCode =
  | "USAGE"
  | "NOT_FOUND"
  | "AMBIGUOUS"
  | "UNAVAILABLE"
  | "TIMEOUT"
  | "FAILED"
  /** Whoever asked for it wants it no more. */
  | "CANCELLED"
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

export function describeUsage(message: string, suggestion: string): Failure {
  return { code: "USAGE", message, suggestion, done: nothingDone };
}

/** Whether it may be tried again without anything being done twice; where that is not known, it may not. */
export function hasDoneNothing({ done }: Pick<Failure, "done">): boolean {
  return done === nothingDone;
}

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
