import type { Failure } from "../model/failure.ts";
import { joinRows } from "./csv.ts";
import { failureToJson, showFailure } from "./failure.ts";
import { stringify } from "./json.ts";

/** What came of one step of a batch. */
export interface StepResult {
  readonly line: number;
  readonly text: string;
  readonly exitCode: number;
  readonly shown?: { text(): string; json(isPretty: boolean): string };
  readonly failure?: Failure;
}

/** A line a step; in full only what failed, and what was asked for to be read. */
export function showBatch(results: readonly StepResult[], left: number): string {
  const lines = results.map((result) => {
    const told = result.shown?.text() ?? (result.failure === undefined ? "" : showFailure(result.failure));
    const isLast = result === results.at(-1);
    // Further lines of a step stand back: none of them can pass for the line of another step.
    const whole = told.replaceAll("\n", "\n ");
    return `${result.line}  ${isLast || isReading(result) ? whole : (told.split("\n")[0] ?? "")}`;
  });
  return left === 0
    ? lines.join("\n")
    : [...lines, `${left} more ${left === 1 ? "step was" : "steps were"} not done.`].join("\n");
}

export function batchToJson(results: readonly StepResult[], left: number, isPretty: boolean): string {
  const steps = results.map((result) => {
    const { line, text, exitCode, shown, failure } = result;
    const told: Record<string, unknown> = JSON.parse(shown?.json(false) ?? failureToJson(failure ?? unknownFailure));
    const isWhole = result === results.at(-1) || exitCode !== 0 || told.effect === undefined;
    return { line, step: text, exit: exitCode, ...(isWhole ? { result: told } : { effect: told.effect }) };
  });
  return stringify(
    { done: results.every(({ exitCode }) => exitCode === 0) && left === 0, steps, notDone: left },
    isPretty,
  );
}

export function batchToCsv(results: readonly StepResult[]): string {
  const rows = results.map(({ line, text, exitCode, shown, failure }) => {
    const told = shown?.text() ?? failure?.message ?? "";
    return [String(line), text, String(exitCode), told.split("\n")[0] ?? ""];
  });
  return joinRows("line,step,exit,result", rows);
}

const readingTools = /^(deskmap )?(read|find|list|text|at|screenshot|clipboard|doctor)\b/;

function isReading({ text }: StepResult): boolean {
  return readingTools.test(text) || /"do"\s*:\s*"(read|find|list|text|at|screenshot|clipboard|doctor)"/.test(text);
}

const unknownFailure: Failure = { code: "FAILED", message: "the step told nothing", done: "it is not known." };
