import type { CallReply } from "../host/port.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import { describeUsage, exitCodeOf, type Failure } from "../model/failure.ts";
import { cleanLine } from "../model/plain-text.ts";
import { type Format, formats } from "../tools/arguments.ts";
import { frame, isTerminal, print } from "./output.ts";

export async function tell({ outputs, failure, exitCode, warnings }: CallReply, format: Format): Promise<number> {
  if (failure !== undefined) return report(failure, format);
  const output = outputs[format] ?? "";
  const unwritten = await print(warn(warnings, format === "text" ? frame(output, 1) : output, format));
  return unwritten === undefined ? exitCode : report(unwritten, format);
}

/** Warnings go to standard error, and into a JSON answer, since its reader may see nothing else. */
function warn(warnings: readonly string[], output: string, format: Format): string {
  for (const warning of warnings) process.stderr.write(`warning: ${cleanLine(warning)}\n`);
  const isObject = format === "json" && warnings.length > 0 && /^\{\s*"/.test(output);
  return isObject ? `{"warnings":${JSON.stringify(warnings)},${output.slice(1)}` : output;
}

/** Loads show/failure.ts lazily, since it imports zod. */
export async function report(failure: Failure, format: Format): Promise<number> {
  const { failureToJson, showFailure } = await import("../show/failure.ts");
  process.stderr.write(`${format === "json" ? failureToJson(failure) : frame(showFailure(failure), 2)}\n`);
  return exitCodeOf(failure.code);
}

/** The requested format, else that of DESKMAP_FORMAT, else by where the output goes. Undefined if there is none such. */
export function chooseFormat(given: unknown): Format | undefined {
  const wanted = given ?? (process.env.DESKMAP_FORMAT || undefined);
  if (wanted === undefined) return isTerminal() ? "text" : "json";
  return formats.find((format) => format === wanted);
}

export function describeFormat(given: unknown): Failure {
  const where = given === undefined ? "DESKMAP_FORMAT: " : "";
  const name = String(given ?? process.env.DESKMAP_FORMAT);
  return describeUsage(`${where}no format is called "${name}"`, "json, text or csv");
}

export function chooseTimeout(given: unknown): number | undefined {
  const value = Number(given ?? (process.env.DESKMAP_TIMEOUT_MS || defaultTimeoutMs));
  return Number.isInteger(value) && value > 0 && value <= 600_000 ? value : undefined;
}

export function describeTimeout(given: unknown): Failure {
  const problem =
    given === undefined ? `DESKMAP_TIMEOUT_MS "${process.env.DESKMAP_TIMEOUT_MS}"` : `--timeout-ms "${given}"`;
  return describeUsage(`${problem} is not a time`, "a whole number of milliseconds, such as --timeout-ms 5000");
}

export function chooseTurn(given: unknown): string | undefined {
  const turn = given ?? process.env.DESKMAP_TURN;
  return typeof turn === "string" && turn !== "" ? turn : undefined;
}

/**
 * The first Ctrl-C cancels an action, whose answer says how far it came; then this process ends by the signal, as a shell
 * expects. A second one ends it at once.
 */
export async function cancelOnInterrupt<T>(acts: boolean, work: (signal?: AbortSignal) => Promise<T>): Promise<T> {
  if (!acts) return work();
  const cancelling = new AbortController();
  const cancel = (): void => cancelling.abort();
  process.once("SIGINT", cancel);
  try {
    return await work(cancelling.signal);
  } finally {
    process.off("SIGINT", cancel);
    if (cancelling.signal.aborted) process.kill(process.pid, "SIGINT");
  }
}
