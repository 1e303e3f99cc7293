import type { Check } from "../model/check.ts";
import { cleanText } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

/** A line a check; the command that mends it stands below, on a line of its own. */
export function showChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ health }) => health.length));
  return checks
    .map(({ health, ...words }) => ({ health, ...cleanWords(words) }))
    .flatMap(({ health, subject, text, mend }) => {
      const line = `${health.padEnd(width)}  ${subject}: ${text}`;
      return mend === "" ? [line] : [line, `${" ".repeat(width)}  mend: ${mend}`];
    })
    .join("\n");
}

/** Some of them tell what an application answered. */
function cleanWords({ subject, text, mend }: Omit<Check, "health">): Omit<Check, "health"> {
  return { subject: cleanText(subject, maxLength), text: cleanText(text, maxLength), mend: cleanText(mend, maxLength) };
}

const maxLength = 2000;

export function checksToJson(checks: readonly Check[], isPretty: boolean): string {
  const list = checks.map(({ mend, ...check }) => (mend === "" ? check : { ...check, mend }));
  return stringify({ works: checks.every(({ health }) => health !== "broken"), checks: list }, isPretty);
}

export function checksToCsv(checks: readonly Check[]): string {
  const rows = checks.map(({ health, subject, text, mend }) => [health, subject, text, mend]);
  return joinRows("health,subject,text,mend", rows);
}
