import * as z from "zod/mini";
import type { Failure } from "../model/failure.ts";
import { joinRows } from "./csv.ts";
import { failureToData, showFailure } from "./failure.ts";
import type { DataOf, Forms } from "./output.ts";

export interface StepResult {
  readonly line: number;
  readonly text: string;
  readonly exitCode: number;
  /** Whether its whole answer is shown, not only the first line. */
  readonly isReport: boolean;
  readonly answer?: { text(): string; data(): Readonly<Record<string, unknown>> };
  readonly failure?: Failure;
}

export interface Batch {
  readonly results: readonly StepResult[];
  readonly left: number;
}

export const batchOutput = () =>
  z.strictObject({
    done: z.boolean(),
    steps: z.array(
      z.strictObject({
        line: z.number(),
        step: z.string(),
        exit: z.number(),
        // Only of a confirmed step that is not the last.
        effect: z.optional(z.string()),
        // The tool's own answer, or its error.
        result: z.optional(z.record(z.string(), z.unknown())),
      }),
    ),
    notDone: z.number(),
  });

export const batchForms: Forms<Batch, DataOf<typeof batchOutput>> = {
  data: ({ results, left }) => ({
    done: results.every(({ exitCode }) => exitCode === 0) && left === 0,
    steps: results.map((result) => {
      const { line, text, exitCode, answer, failure = unknownFailure } = result;
      const shown: Readonly<Record<string, unknown>> = answer?.data() ?? failureToData(failure);
      const { effect } = shown;
      const isWhole = result === results.at(-1) || exitCode !== 0 || typeof effect !== "string";
      return { line, step: text, exit: exitCode, ...(isWhole ? { result: shown } : { effect }) };
    }),
    notDone: left,
  }),
  /** One line for each step; the last step, failures and reports are shown in full. */
  text({ results, left }) {
    const lines = results.map((result) => {
      const shown = result.answer?.text() ?? (result.failure === undefined ? "" : showFailure(result.failure));
      const isWhole = result === results.at(-1) || result.isReport || result.failure !== undefined;
      // Further lines are indented, so that none can pass for the line of another step.
      const whole = shown.replaceAll("\n", "\n ");
      return `${result.line}  ${isWhole ? whole : (shown.split("\n")[0] ?? "")}`;
    });
    return left === 0
      ? lines.join("\n")
      : [...lines, `${left} more ${left === 1 ? "step was" : "steps were"} not done.`].join("\n");
  },
  csv({ results }) {
    const rows = results.map(({ line, text, exitCode, answer, failure }) => {
      const shown = answer?.text() ?? failure?.message ?? "";
      return [String(line), text, String(exitCode), shown.split("\n")[0] ?? ""];
    });
    return joinRows("line,step,exit,result", rows);
  },
  exitCode: ({ results }) => results.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0,
};

const unknownFailure: Failure = { code: "FAILED", message: "the step told nothing", done: "it is not known." };
