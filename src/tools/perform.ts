import type * as z from "zod/mini";
import { exitCodeOf, type Failure } from "../model/failure.ts";
import { stringify } from "../show/output.ts";
import type { Format } from "./arguments.ts";
import type { Data, ToolAnswer, ToolCall } from "./define.ts";
import type { Session } from "./session.ts";

export interface Performed {
  /** The answer in the requested forms; empty if it failed. */
  readonly outputs: Readonly<Partial<Record<Format, string>>>;
  /** The answer itself, if "data" was requested. */
  readonly data?: Data | undefined;
  readonly failure?: Failure | undefined;
  readonly exitCode: number;
  readonly warnings: readonly string[];
  /** A person has stopped everything, and the call does not end by itself. */
  readonly isInterrupted: boolean;
}

export interface Rendering {
  readonly formats: readonly (Format | "data")[];
  readonly isPretty: boolean;
}

/** Runs a tool for a client. Reads and refusals are logged before the answer is returned. */
export async function performTool(call: ToolCall, session: Session, rendering: Rendering): Promise<Performed> {
  const { name } = call.tool;
  const result = await Promise.race([call.run(session), session.interrupted]);
  if ("code" in result) return describe(session, result, true);
  // Failures are logged, too: they say what is on the screen.
  const recorded = session.recordLooks(name);
  if (!recorded.ok) return describe(session, recorded.failure);
  if (!result.ok) return describe(session, session.recordRefusal(name, result.failure));
  const answer = result.value;
  checkDeclared(name, () => call.tool.output(), answer.data);
  return {
    ...render(answer, rendering),
    exitCode: answer.exitCode,
    warnings: session.warnings,
    isInterrupted: false,
  };
}

function describe({ warnings }: Session, failure: Failure, isInterrupted = false): Performed {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings, isInterrupted };
}

function render(answer: ToolAnswer, { formats, isPretty }: Rendering): Pick<Performed, "outputs" | "data"> {
  const forms: Readonly<Record<Format, () => string>> = {
    json: () => stringify(answer.data(), isPretty),
    text: () => answer.text(),
    csv: () => answer.csv(),
  };
  const rendered = formats.filter((format) => format !== "data").map((format) => [format, forms[format]()]);
  return { outputs: Object.fromEntries(rendered), ...(formats.includes("data") ? { data: answer.data() } : {}) };
}

/** In tests, checks every answer against its declared schema, on real desktops as well. */
export function checkDeclared(name: string, output: () => z.ZodMiniType, readData: () => unknown): void {
  if (process.env.DESKMAP_CHECK_OUTPUTS !== "1") return;
  const checked = output().safeParse(readData());
  if (checked.success) return;
  throw new Error(`${name} answered what its output does not declare: ${JSON.stringify(checked.error.issues)}`);
}
