import { messageOf } from "../model/caught.ts";
import { type Failure, makeFailure } from "../model/failure.ts";
import type { Records } from "./records.ts";

export function refuse(reason: NonNullable<Failure["reason"]>, message: string, suggestion: string): Failure {
  return makeFailure("REFUSED", message, suggestion, { reason });
}

/** Without records nothing is done: neither the log nor a person's stop could be relied on. */
export function describeUnwritable(state: string, error: unknown): Failure {
  return refuse(
    "audit",
    `${state} cannot be written, so the action cannot be logged: ${messageOf(error)}`,
    "make that directory writable, or free some space; nothing is done without a record.",
  );
}

/** Refusals that are in the log already: one passes several functions on its way out. */
const logged = new WeakSet<Failure>();

/** Logs a refusal once, whichever part of the guard made it. The returned failure says so if it could not be logged. */
export function logRefusal(
  records: Pick<Records, "write">,
  { client, tool }: { readonly client: string; readonly tool: string },
  failure: Failure,
  isRefusal = failure.code === "REFUSED",
): Failure {
  if (!isRefusal || logged.has(failure)) return failure;
  logged.add(failure);
  const { reason, code, message: words } = failure;
  const written = records.write({ what: "refused", client, tool, effect: reason ?? code, words });
  if (written.ok) return failure;
  const told = { ...failure, message: `${words}; and that is not in the log: ${written.failure.message}` };
  logged.add(told);
  return told;
}
