/** An expected failure, written as the next instruction: what was sought, what is there, what to try, what was done. */
export type Problem = {
  code: ProblemCode;
  /** What was sought, and that it was not had. */
  message: string;
  /** What is there instead; empty when there is nothing to tell. */
  there: string;
  /** What to try next. */
  suggestion: string;
  /** Whether anything was done. */
  done: string;
};

const PROBLEM_CODES = [
  "APP_NOT_FOUND",
  "BAD_MONITORS",
  "BAD_NAME",
  "BAD_SIZE",
  "BAD_USAGE",
  "MISSING_PROGRAM",
  "NAME_TAKEN",
  "START_FAILED",
  "STOP_FAILED",
  "UNKNOWN_SANDBOX",
  "UNSAFE_DIRECTORY",
] as const;
type ProblemCode = (typeof PROBLEM_CODES)[number];

const USAGE_CODES: readonly ProblemCode[] = ["BAD_MONITORS", "BAD_NAME", "BAD_SIZE", "BAD_USAGE"];

export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: Problem };

export function succeed<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function fail(problem: Problem): { ok: false; problem: Problem } {
  return { ok: false, problem };
}

/** Thrown only by `openSandbox`, for callers that treat a missing sandbox as the end of their work. */
export class SandboxError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(describeProblem(problem));
    this.name = "SandboxError";
    this.problem = problem;
  }
}

export function describeProblem(problem: Problem): string {
  const lines = [`${problem.code}  ${problem.message}`];
  if (problem.there !== "") lines.push(problem.there);
  lines.push(`try: ${problem.suggestion}   ${problem.done}`);
  return lines.join("\n");
}

export function isUsageProblem(problem: Problem): boolean {
  return USAGE_CODES.includes(problem.code);
}

export function isProblem(value: unknown): value is Problem {
  if (typeof value !== "object" || value === null) return false;
  if (!("code" in value && PROBLEM_CODES.some((code) => code === value.code))) return false;
  const { message, there, suggestion, done } = { message: null, there: null, suggestion: null, done: null, ...value };
  return [message, there, suggestion, done].every((field) => typeof field === "string");
}

export function readErrorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error ("ENOENT"), or "" for anything else. */
export function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
