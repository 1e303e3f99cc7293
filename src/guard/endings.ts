import type { Command } from "../model/command.ts";
import type { Effect } from "../model/effect.ts";
import { type Failure, fail, hasDoneNothing, type Result } from "../model/failure.ts";

/** The action was done, but its end is missing in the log. */
export function describeUnloggedEnd(
  tool: string,
  outcome: Result<Effect>,
  { message, ...unwritten }: Failure,
): Failure {
  const told = outcome.ok ? `it was ${outcome.value.verdict}` : outcome.failure.message;
  const done = `${tool} was begun, which is in the log, and a part or all of it was done.`;
  return { ...unwritten, message: `${tool}: ${told}; but how it ended is not in the log: ${message}`, done };
}

/** It makes a control ready, and may be done again. */
export function isPreparation(command: Command): boolean {
  if (command.kind === "window") return command.operation.name === "front";
  return command.kind === "reveal" || command.kind === "focus" || command.kind === "point";
}

/**
 * The outcome of an action of which a command was delivered: if what came after it failed, such as reading the effect, it does
 * not say that nothing was done. Whoever believed that would do it again.
 */
export function tellWhatWasDone(outcome: Result<Effect>): Result<Effect> {
  if (outcome.ok || !hasDoneNothing(outcome.failure)) return outcome;
  return fail({ ...outcome.failure, done: "a part of it, or all of it, was done." });
}
