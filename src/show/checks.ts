import * as z from "zod/mini";
import type { Check } from "../model/check.ts";
import { cleanLine } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import type { DataOf, Forms } from "./output.ts";

export const checksOutput = () =>
  z.strictObject({
    works: z.boolean(),
    checks: z.array(
      z.strictObject({
        subject: z.string(),
        health: z.enum(["ok", "note", "off", "broken"]),
        text: z.string(),
        mend: z.optional(z.string()),
      }),
    ),
  });

export const checksForms: Forms<readonly Check[], DataOf<typeof checksOutput>> = {
  data: (checks) => ({
    works: !checks.some(isBroken),
    checks: checks.map(({ mend, ...check }) => (mend === "" ? check : { ...check, mend })),
  }),
  /** A line a check; the command that mends it stands below, on a line of its own. */
  text(checks) {
    const width = Math.max(...checks.map(({ health }) => health.length));
    return checks
      .flatMap(({ health, subject, text, mend }) => {
        const line = `${health.padEnd(width)}  ${cleanLine(subject)}: ${cleanLine(text)}`;
        return mend === "" ? [line] : [line, `${" ".repeat(width)}  mend: ${cleanLine(mend)}`];
      })
      .join("\n");
  },
  csv(checks) {
    const rows = checks.map(({ health, subject, text, mend }) => [health, subject, text, mend]);
    return joinRows("health,subject,text,mend", rows);
  },
  exitCode: (checks) => (checks.some(isBroken) ? 1 : 0),
};

function isBroken({ health }: Check): boolean {
  return health === "broken";
}
