import { exitCodeOf, type Failure } from "../model/failure.ts";
import { failureToJson, showFailure } from "../show/failure.ts";
import { frame, isTerminal, print } from "./output.ts";
import { usage } from "./usage.ts";

const formats = ["json", "text", "csv"] as const;
type Format = (typeof formats)[number];

/** One result in every form. */
export interface Forms {
  text(): string;
  json(): string;
  csv(): string;
}

/** The form that was asked for: text on a terminal, JSON when piped. */
function chooseFormat(given: string | undefined): Format | undefined {
  if (given === undefined) return isTerminal() ? "text" : "json";
  return formats.find((format) => format === given);
}

/** Runs a command of the person's own and tells how it ended. */
export async function answer(
  given: string | undefined,
  work: () => Promise<{ readonly forms: Forms; readonly exitCode?: number } | Failure>,
): Promise<void> {
  const format = chooseFormat(given);
  if (format === undefined)
    return report(usage(`no format is called "${given}"`, "--format json, text or csv"), "text");
  const outcome = await work();
  if ("code" in outcome) return report(outcome, format);
  const unwritten = await print(outcome.forms[format]());
  if (unwritten !== undefined) return report(unwritten, format);
  process.exitCode = outcome.exitCode ?? 0;
}

function report(failure: Failure, format: Format): void {
  reportFailure(failure, format === "json");
}

/** Prints a failure as it was asked for, and sets the exit code. */
export function reportFailure(failure: Failure, isJson: boolean): void {
  process.stderr.write(`${isJson ? failureToJson(failure) : frame(showFailure(failure), 2)}\n`);
  process.exitCode = exitCodeOf(failure.code);
}
