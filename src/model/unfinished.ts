import { type Failure, nothingDone } from "./failure.ts";

export function describeCancelled(): Failure {
  return {
    code: "CANCELLED",
    message: "whoever asked for it does not want it any more",
    suggestion: "read shows what has been done.",
    done: "it stopped there.",
  };
}

export function describeUnfollowed(): Failure {
  return {
    code: "UNAVAILABLE",
    message: "nothing here follows the desktop",
    suggestion: "deskmap watch does, by itself.",
    done: nothingDone,
  };
}

export function describeInterruption({ tool }: { readonly tool: string }): Failure {
  return {
    code: "REFUSED",
    reason: "stopped",
    message: "a person has stopped everything",
    suggestion: "a person runs deskmap resume in a terminal.",
    done: `${tool} was under way, and a part of it may have been done.`,
  };
}
