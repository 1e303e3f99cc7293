import { exitCodeOf, type Failure } from "../model/failure.ts";
import { failureToJson, showFailure } from "../show/failure.ts";
import { frame } from "./output.ts";

/** Prints a failure as it was asked for, and sets the exit code. */
export function reportFailure(failure: Failure, isJson: boolean): void {
  process.stderr.write(`${isJson ? failureToJson(failure) : frame(showFailure(failure), 2)}\n`);
  process.exitCode = exitCodeOf(failure.code);
}
