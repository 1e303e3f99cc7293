import type { Failure } from "../model/failure.ts";
import { cleanLine, cleanLines, quoteText, shorten } from "../model/plain-text.ts";
import { stringify } from "./json.ts";

/** What failed may say why in its own words. */
const maxLength = 2000;

/** An error as the next instruction: what was sought, what is there, what to try, what was done. */
export function showFailure(failure: Failure): string {
  // Further lines of a message, such as a program's last words, stand back: none can pass for a line of ours.
  const message = shorten(cleanLines(failure.message), maxLength).replaceAll("\n", "\n ");
  const lines = [`${failure.code}  ${message}`];
  if (failure.nearest !== undefined && failure.nearest.length > 0) {
    lines.push(`nearest: ${failure.nearest.map((name) => quoteText(name)).join(", ")}`);
  }
  const done = cleanLine(failure.done);
  lines.push(failure.suggestion === undefined ? done : `try: ${cleanLine(failure.suggestion)}   ${done}`);
  return lines.join("\n");
}

export function failureToJson(failure: Failure): string {
  const { code, reason, message, nearest = [], suggestion = "", done, retryAfterMs } = failure;
  return stringify({ error: { code, reason, message, nearest, try: suggestion, done, retryAfterMs } }, false);
}
