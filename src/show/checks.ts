import type { Check } from "../model/check.ts";
import { cleanLine } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

/** A line a check; the command that mends it stands below, on a line of its own. */
export function showChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ health }) => health.length));
  return checks
    .flatMap(({ health, subject, text, mend }) => {
      const line = `${health.padEnd(width)}  ${cleanLine(subject)}: ${cleanLine(text)}`;
      return mend === "" ? [line] : [line, `${" ".repeat(width)}  mend: ${cleanLine(mend)}`];
    })
    .join("\n");
}

export function checksToJson(checks: readonly Check[], isPretty: boolean): string {
  const list = checks.map(({ mend, ...check }) => (mend === "" ? check : { ...check, mend }));
  return stringify({ works: checks.every(({ health }) => health !== "broken"), checks: list }, isPretty);
}

export function checksToCsv(checks: readonly Check[]): string {
  const rows = checks.map(({ health, subject, text, mend }) => [health, subject, text, mend]);
  return joinRows("health,subject,text,mend", rows);
}
