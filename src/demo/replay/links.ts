import { quoteText } from "../../model/plain-text.ts";
import type { Demo } from "../file.ts";
import type { Values } from "../parameters.ts";
import { plainRole, plainTitle, type SeenEffect } from "./answers.ts";

/** The values that a step has put on the screen and later steps type; a value that is not there any more is a doubt. */
export function readLinks(
  { parameters }: Demo,
  n: number,
  { changes }: SeenEffect,
): { readonly values: Values; readonly doubts: readonly string[] } {
  const values: Record<string, string> = {};
  const doubts: string[] = [];
  for (const [parameter, { from }] of Object.entries(parameters)) {
    if (from?.step !== n) continue;
    const changed = changes?.changed?.find(
      ({ r, t = "" }) => plainRole(r) === plainRole(from.role) && plainTitle(t) === plainTitle(from.name),
    );
    const now = from.what === "value" ? changed?.value?.[1] : changed?.name?.[1];
    if (now !== undefined) values[parameter] = now;
    else doubts.push(`${from.role} ${quoteText(from.name)} shows no new ${from.what}, which a later step types`);
  }
  return { values, doubts };
}
