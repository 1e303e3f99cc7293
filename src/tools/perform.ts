import { exitCodeOf, type Failure } from "../model/failure.ts";
import { stringify } from "../show/json.ts";
import type { Format } from "./arguments.ts";
import { checkDeclared } from "./check-declared.ts";
import type { Answer, Data, ToolCall } from "./define.ts";
import type { Session } from "./session.ts";

/** How one call of a tool ended. */
export interface Performed {
  /** The answer in every form that was asked for; none where it failed. */
  readonly outputs: Readonly<Partial<Record<Format, string>>>;
  /** The answer itself, where "data" was asked for. */
  readonly data?: Data | undefined;
  readonly failure?: Failure | undefined;
  readonly exitCode: number;
  /** What whoever reads the answer must know beyond it. */
  readonly warnings: readonly string[];
  /** A person has stopped everything, and what is under way does not end by itself. */
  readonly isInterrupted: boolean;
}

export interface Rendering {
  readonly formats: readonly (Format | "data")[];
  readonly isPretty: boolean;
}

/** Runs a tool for a client: what was looked at is written down before it is given away, and so is what was refused. */
export async function performTool(call: ToolCall, session: Session, rendering: Rendering): Promise<Performed> {
  const { name } = call.tool;
  const result = await Promise.race([call.run(session), session.interrupted]);
  if ("code" in result) return describe(session, result, true);
  // A failure, too, tells what is there.
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

function render(answer: Answer, { formats, isPretty }: Rendering): Pick<Performed, "outputs" | "data"> {
  const forms: Readonly<Record<Format, () => string>> = {
    json: () => stringify(answer.data(), isPretty),
    text: () => answer.text(),
    csv: () => answer.csv(),
  };
  const rendered = formats.filter((format) => format !== "data").map((format) => [format, forms[format]()]);
  return { outputs: Object.fromEntries(rendered), ...(formats.includes("data") ? { data: answer.data() } : {}) };
}
