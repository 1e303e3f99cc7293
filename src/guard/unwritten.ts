import { type Failure, nothingDone } from "../model/failure.ts";

/** Where the books cannot be kept nothing is done: neither is it known what was, nor whether a person has stopped it. */
export function describeUnwritten(state: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return {
    code: "REFUSED",
    reason: "audit",
    message: `what is done cannot be written down in ${state}: ${why}`,
    suggestion: "make that directory writable, or free some space; nothing is done without a record.",
    done: nothingDone,
  };
}
