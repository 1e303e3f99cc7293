import { type Effect, exitCodeOfEffect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import { succeed } from "../model/failure.ts";
import { effectToCsv, effectToJson, showEffect } from "../show/effect.ts";
import type { Shown } from "./define.ts";
import { flag } from "./fields.ts";

export const dryRun = flag("only tell what would be done to what, and by which way");

/** What an action did, in every form. */
export function showOutcome(effect: Result<Effect>): Result<Shown> {
  if (!effect.ok) return effect;
  const { value } = effect;
  return succeed({
    text: () => showEffect(value),
    json: (isPretty) => effectToJson(value, isPretty),
    csv: () => effectToCsv(value),
    exitCode: exitCodeOfEffect(value),
  });
}
