import { type Failure, nothingDone } from "../model/failure.ts";

/** The command was not understood. */
export function usage(message: string, suggestion: string): Failure {
  return { code: "USAGE", message, suggestion, done: nothingDone };
}
