/** An expected outcome other than success. It is returned, never thrown, and tells the caller what to do next. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** What is there instead. */
  readonly nearest?: readonly string[];
  readonly suggestion?: string;
  /** What was done before it failed. */
  readonly done: string;
  /** The guard's rule, for refusals. */
  readonly reason?: RefusalReason;
  /** When it may be tried again, if known. */
  readonly retryAfterMs?: number;
  /** For invalid input: the field, which a client may show as its users write it. */
  readonly issue?: InputIssue;
}

export interface InputIssue {
  readonly field: string;
  readonly message: string;
}

type RefusalReason =
  | "stopped"
  /** The policy file is invalid. */
  | "policy"
  | "read-only"
  /** The application must not be read. */
  | "blind"
  /** The application may be read, not controlled. */
  | "hands-off"
  | "rule"
  | "rate"
  /** Another client has the turn, or a person is being asked. */
  | "turn"
  /** It needs approval, and nobody can be asked, nobody answered, or it was denied. */
  | "unasked"
  | "unanswered"
  | "denied"
  /** The audit log cannot be written. */
  | "audit"
  | "secret"
  /** No person has allowed that this goes there. */
  | "recipient"
  /** The application may be read, and is never sent to a model. */
  | "local-only";

export type FailureCode =
  | "USAGE"
  | "NOT_FOUND"
  | "AMBIGUOUS"
  | "UNAVAILABLE"
  | "TIMEOUT"
  | "FAILED"
  | "CANCELLED"
  | "REFUSED"
  /** The element does not support it, and there is no safe alternative. */
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

/** A failure; before anything was done, unless `more.done` says otherwise. */
export function makeFailure(
  code: FailureCode,
  message: string,
  suggestion?: string,
  more: Partial<Pick<Failure, "nearest" | "reason" | "retryAfterMs" | "done">> = {},
): Failure {
  return { code, message, ...(suggestion === undefined ? {} : { suggestion }), done: nothingDone, ...more };
}

/** Wrong usage, and the right one. */
export function describeUsage(message: string, suggestion: string): Failure {
  return makeFailure("USAGE", message, suggestion);
}

/** Invalid input, for clients that name fields as the tool declares them. */
export function describeIssue(tool: string, issue: InputIssue): Failure {
  return { code: "USAGE", message: `${tool}: ${issue.field}: ${issue.message}`, done: nothingDone, issue };
}

/** Whether it can be retried without doing anything twice; false if unknown. */
export function hasDoneNothing({ done }: Pick<Failure, "done">): boolean {
  return done === nothingDone;
}

/** 0 done, 1 not done, 2 wrong usage, 3 refused by the guard, 4 delivered but not confirmed. */
export function exitCodeOf(code: FailureCode): number {
  return code === "USAGE" ? 2 : code === "REFUSED" ? 3 : 1;
}
