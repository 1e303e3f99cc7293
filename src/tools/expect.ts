import * as z from "zod/mini";
import { waitFor } from "../desktop/wait.ts";
import { parseCondition } from "../find/condition.ts";
import { describeUsage, fail, succeed } from "../model/failure.ts";
import { outcomeForms, outcomeOutput } from "../show/outcome.ts";
import { defineTool } from "./define.ts";
import { requiredWords } from "./fields.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";

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
  output: outcomeOutput,
  forms: outcomeForms,
  async run(input, session) {
    const condition = parseCondition(input.condition);
    if (!condition.ok) return condition;
    if (condition.value.kind === "changes") {
      return fail(describeUsage("a change takes time", `deskmap wait --for ${JSON.stringify(input.condition)}`));
    }
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const query = { ...windowQueryOf(input), condition: condition.value, waitMs: 0, timeoutMs: session.timeoutMs };
    const outcome = await waitFor(desktop.value, query);
    return outcome.ok ? succeed({ ...outcome.value, condition: input.condition }) : outcome;
  },
});
