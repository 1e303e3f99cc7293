import * as z from "zod/mini";
import { describeUsage, fail } from "../model/failure.ts";
import { actingOutput, carryOut, dailyTarget, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { requiredWords, text } from "./fields.ts";
import { chooseAim } from "./pointing.ts";

export const fillSecret = defineTool({
  name: "fill-secret",
  summary: "Fill in a secret that a person keeps, without seeing it.",
  description:
    "The secret is named, never given: it is read from the person's own file, $XDG_CONFIG_HOME/deskmap/secrets.env " +
    "(lines NAME=value, mode 600), else from the system's secret service: the item whose attribute deskmap, or whose " +
    "label, is NAME. NAME@bank.example=value and NAME@thunderbird=value (attributes host and app) bind it to a page's host " +
    "or a program; elsewhere it is refused. It is filled only into a secret field, and checked only by the number of its characters, which is " +
    "not reported. No answer and no log contains more than its name.",
  examples: [
    "deskmap fill-secret --id 7 --from MAIL_PASSWORD",
    'deskmap fill-secret "Password" --from shop --app firefox',
  ],
  words: ["words"],
  daily: {
    says: "Fill a password field with a secret that the person keeps under a name; its text is never shown.",
    fields: { from: "secret's name", ...dailyTarget },
  },
  hints: { isDestructive: false, isIdempotent: true },
  input: z.object({
    words: text("the field by words, as find takes them"),
    from: requiredWords("the secret's name"),
    ...targetSelection,
  }),
  ...actingOutput,
  async run(input, session) {
    const aim = chooseAim(input, input.words);
    if (!aim.ok) return aim;
    if (aim.value === undefined)
      return fail(describeUsage("no field is named", "deskmap fill-secret --id 7 --from NAME"));
    const order = { kind: "fill-secret" as const, secret: input.from };
    return carryOut(session, { ...input, tool: "fill-secret", aim: aim.value, order });
  },
});
