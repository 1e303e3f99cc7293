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
  /** One line for each check, with the command that repairs it below. */
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

export interface Bundle {
  readonly file: string;
  readonly parts: readonly { readonly name: string; readonly holds: string; readonly bytes: number }[];
}

export const bundleForms: Forms<Bundle, Bundle> = {
  data: (bundle) => bundle,
  text: ({ file, parts }) =>
    [
      `wrote ${cleanLine(file)}, which only you can read:`,
      ...parts.map(({ name, holds, bytes }) => `  ${name.padEnd(12)} ${String(bytes).padStart(8)} bytes  ${holds}`),
      "It holds no titles, no text of applications and no secrets of the environment. Look at it before you send it.",
    ].join("\n"),
  csv: ({ parts }) =>
    joinRows(
      "part,bytes,holds",
      parts.map(({ name, holds, bytes }) => [name, String(bytes), holds]),
    ),
};
