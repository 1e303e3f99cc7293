import { exitCodeOf, type Failure } from "../model/failure.ts";
import type { Session } from "../session.ts";
import type { Shown, Tool } from "./define.ts";
import type { Format } from "./forms.ts";

/** How one call of a tool ended. */
export interface Performed {
  /** The answer in every form that was asked for; none where it failed. */
  readonly outputs: Readonly<Partial<Record<Format, string>>>;
  readonly failure?: Failure | undefined;
  readonly exitCode: number;
  /** What whoever reads the answer must know beyond it. */
  readonly warnings: readonly string[];
  /** A person has stopped everything, and what is under way does not end by itself. */
  readonly isInterrupted: boolean;
}

export interface Rendering {
  readonly formats: readonly Format[];
  readonly isPretty: boolean;
}

/** Runs a tool for a client: what was looked at is written down before it is given away, and so is what was refused. */
export async function performTool(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  session: Session,
  rendering: Rendering,
): Promise<Performed> {
  const result = await Promise.race([tool.run(input, session), session.interrupted]);
  if ("code" in result) return describe(session, result, true);
  // A failure, too, tells what is there.
  const recorded = session.recordLooks(tool.name);
  if (!recorded.ok) return describe(session, recorded.failure);
  if (!result.ok) return describe(session, session.recordRefusal(tool.name, result.failure));
  return {
    outputs: render(result.value, rendering),
    exitCode: result.value.exitCode ?? 0,
    warnings: session.warnings,
    isInterrupted: false,
  };
}

function describe({ warnings }: Session, failure: Failure, isInterrupted = false): Performed {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings, isInterrupted };
}

function render(shown: Shown, { formats: wanted, isPretty }: Rendering): Performed["outputs"] {
  const forms: Readonly<Record<Format, () => string>> = {
    json: () => shown.json(isPretty),
    text: () => shown.text(),
    csv: () => shown.csv(),
  };
  return Object.fromEntries(wanted.map((format) => [format, forms[format]()]));
}
