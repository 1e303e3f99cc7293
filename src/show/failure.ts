import * as z from "zod/mini";
import type { Failure } from "../model/failure.ts";
import { cleanLine, cleanLines, quoteText, shorten } from "../model/plain-text.ts";
import { type DataOf, stringify, titled } from "./output.ts";

const maxLength = 2000;

/** What was sought, what is there, what to try, and what was done. */
export function showFailure(failure: Failure): string {
  // Further lines of a message, such as a program's output, are indented, so that none can pass for a line of ours.
  const message = shorten(cleanLines(failure.message), maxLength).replaceAll("\n", "\n ");
  const lines = [`${failure.code}  ${message}`];
  if (failure.nearest !== undefined && failure.nearest.length > 0) {
    lines.push(`nearest: ${failure.nearest.map((name) => quoteText(name)).join(", ")}`);
  }
  const done = cleanLine(failure.done);
  lines.push(failure.suggestion === undefined ? done : `try: ${cleanLine(failure.suggestion)}   ${done}`);
  return lines.join("\n");
}

export const failureOutput = () =>
  titled(
    "Failure",
    z.strictObject({
      error: z.strictObject({
        code: z.string(),
        reason: z.optional(z.string()),
        message: z.string(),
        nearest: z.array(z.string()),
        try: z.string(),
        done: z.string(),
        retryAfterMs: z.optional(z.number()),
      }),
    }),
  );

export function failureToData(failure: Failure): DataOf<typeof failureOutput> {
  const { code, reason, message, nearest = [], suggestion = "", done, retryAfterMs } = failure;
  return { error: { code, reason, message, nearest, try: suggestion, done, retryAfterMs } };
}

export function failureToJson(failure: Failure): string {
  return stringify(failureToData(failure), false);
}
