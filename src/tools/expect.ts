import * as z from "zod/mini";
import { parseCondition } from "../find/condition.ts";
import { fail, succeed } from "../model/failure.ts";
import { outcomeToCsv, outcomeToJson, showOutcome } from "../show/outcome.ts";
import { waitFor } from "../wait.ts";
import { describeUsage } from "./aim.ts";
import { defineTool } from "./define.ts";
import { requiredWords } from "./fields.ts";
import { windowSelection, windowWishOf } from "./selection.ts";

export const expect = defineTool({
  name: "expect",
  summary: "Tell whether something is so now: exit code 0 or 1.",
  description: "The conditions of wait, looked at once, for scripts and tests.",
  examples: [
    `deskmap expect 'input "Name" has value "Ada"' --app form`,
    `deskmap expect 'button "OK" is enabled'`,
    `deskmap expect 'window "Error" is closed'`,
  ],
  words: ["condition"],
  input: z.object({ condition: requiredWords("what must be so"), ...windowSelection }),
  async run(input, session) {
    const condition = parseCondition(input.condition);
    if (!condition.ok) return condition;
    if (condition.value.kind === "changes") {
      return fail(describeUsage("a change takes time", `deskmap wait --for ${JSON.stringify(input.condition)}`));
    }
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const wish = { ...windowWishOf(input), condition: condition.value, waitMs: 0, timeoutMs: session.timeoutMs };
    const outcome = await waitFor(desktop.value, wish);
    if (!outcome.ok) return outcome;
    return succeed({
      text: () => showOutcome(input.condition, outcome.value),
      json: (isPretty) => outcomeToJson(input.condition, outcome.value, isPretty),
      csv: () => outcomeToCsv(input.condition, outcome.value),
      exitCode: outcome.value.isMet ? 0 : 1,
    });
  },
});
