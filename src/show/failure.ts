import type { Failure } from "../model/failure.ts";

/** An error as the next instruction: what was sought, what is there, what to try, what was done. */
export function showFailure(failure: Failure): string {
  const lines = [`${failure.code}  ${failure.message}`];
  if (failure.nearest !== undefined && failure.nearest.length > 0) {
    lines.push(`nearest: ${failure.nearest.map((name) => JSON.stringify(name)).join(", ")}`);
  }
  lines.push(failure.suggestion === undefined ? failure.done : `try: ${failure.suggestion}   ${failure.done}`);
  return lines.join("\n");
}

export function failureToJson(failure: Failure): string {
  const { code, reason, message, nearest = [], suggestion = "", done, retryAfterMs } = failure;
  return JSON.stringify({ error: { code, reason, message, nearest, try: suggestion, done, retryAfterMs } });
}
