import { type Failure, makeFailure } from "./failure.ts";

export function describeCancelled(): Failure {
  return {
    code: "CANCELLED",
    message: "the client cancelled it",
    suggestion: "read shows what was done.",
    done: "it stopped there.",
  };
}

export function describeUnfollowed(): Failure {
  return makeFailure("UNAVAILABLE", "this host does not follow the desktop", "deskmap watch does, by itself.");
}

export function describeInterruption({ tool }: { readonly tool: string }): Failure {
  return {
    code: "REFUSED",
    reason: "stopped",
    message: "a person has stopped everything",
    suggestion: "a person runs deskmap resume in a terminal.",
    done: `${tool} was in progress; part of it may have been done.`,
  };
}
