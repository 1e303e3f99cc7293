import { quoteText } from "../../model/plain-text.ts";
import type { Demo, ParameterType } from "../file.ts";
import { refuseValue, type Values } from "../parameters.ts";
import { plainRole, plainTitle, type SeenEffect } from "./answers.ts";

/**
 * The values that a step has put on the screen and later steps type. One that is not there any more is a doubt, as is one
 * that is not of its type: the application chooses it.
 */
export function readLinks(
  { parameters }: Demo,
  n: number,
  { changes }: SeenEffect,
): { readonly values: Values; readonly doubts: readonly string[] } {
  const values: Record<string, string> = {};
  const doubts: string[] = [];
  for (const [parameter, { from, type, default: recorded = "" }] of Object.entries(parameters)) {
    if (from?.step !== n) continue;
    const changed = changes?.changed?.find(
      ({ r, t = "" }) => plainRole(r) === plainRole(from.role) && plainTitle(t) === plainTitle(from.name),
    );
    const now = from.what === "value" ? changed?.value?.[1] : changed?.name?.[1];
    const where = `${from.role} ${quoteText(from.name)}`;
    const wrong = now === undefined ? `shows no new ${from.what}` : refuseShown(type, now, recorded);
    if (wrong !== undefined) doubts.push(`${where} ${wrong}, which a later step types`);
    else if (now !== undefined) values[parameter] = now;
  }
  return { values, doubts };
}

/** Typed, a line break or a tab is a key that may press something. */
const keys = /[\n\r\t]/;

function refuseShown(type: ParameterType, now: string, recorded: string): string | undefined {
  const wrong = refuseValue(type, now);
  if (wrong !== undefined) return `shows a value that ${wrong}`;
  return keys.test(now) && !keys.test(recorded)
    ? "shows a line break or a tab, and did not when it was recorded"
    : undefined;
}
