import { describeUsage, exitCodeOf, type Failure } from "../../model/failure.ts";
import { failureToJson, showFailure } from "../../show/failure.ts";

export type Format = "json" | "text";
export type FormatFlag = { format?: string };

export function printUsage(message: string, suggestion: string, format: Format): void {
  printFailure(describeUsage(message, suggestion), format);
}

export function printFailure(failure: Failure, format: Format): void {
  process.stderr.write(`${format === "json" ? failureToJson(failure) : showFailure(failure)}\n`);
  process.exitCode = exitCodeOf(failure.code);
}

export function readFormat(flags: FormatFlag): Format {
  return flags.format === "json" ? "json" : "text";
}
