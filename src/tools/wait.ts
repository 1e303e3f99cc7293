import * as z from "zod/mini";
import { waitFor } from "../desktop/wait.ts";
import { parseCondition } from "../find/condition.ts";
import { fail, nothingDone, succeed } from "../model/failure.ts";
import { outcomeForms, outcomeOutput } from "../show/outcome.ts";
import { defineTool } from "./define.ts";
import { requiredWords, wholeNumber } from "./fields.ts";
import { visionOption, windowQueryOf, windowSelection } from "./selection.ts";

const defaultTimeout = 10_000;

const forms =
  '(button "Save" appears; 12 disappears; input "Name" has value "Ada"; "Status" contains "ready"; 12 changes; ' +
  'button "OK" becomes enabled; window "Save As" opens or closes; screen still)';

export const wait = defineTool({
  name: "wait",
  summary: "Wait until something is so: an element, a window, the screen at rest.",
  description:
    `A condition is written as it is said ${forms}. An element is named by its mark, by its very name in quotes with or ` +
    "without its role, or by words as find takes them. It is looked at whenever something changes. When the time is " +
    "over the exit code is 1.",
  examples: [
    `deskmap wait --for 'button "Save" appears' --app mousepad`,
    "deskmap wait --for '12 becomes enabled' --timeout 30000",
    "deskmap wait --for 'screen still'",
  ],
  daily: {
    says:
      'Wait until something is so: button "Save" appears | 12 disappears | input "Name" has value "Ada" | 12 becomes ' +
      'enabled | window "Save As" opens | screen still.',
    fields: { for: "", timeout: "ms (10000)", app: "" },
  },
  input: z.object({
    for: requiredWords("what to wait for"),
    timeout: wholeNumber(1, `give up after this many milliseconds (${defaultTimeout})`, 3_600_000),
    ...windowSelection,
    ...visionOption,
  }),
  output: outcomeOutput,
  forms: outcomeForms,
  async run(input, session) {
    const condition = parseCondition(input.for);
    if (!condition.ok) return condition;
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const { timeout: waitMs = defaultTimeout } = input;
    const { timeoutMs } = session;
    const query = { ...windowQueryOf(input), condition: condition.value, waitMs, timeoutMs, vision: input.vision };
    const outcome = await waitFor(desktop.value, query);
    if (!outcome.ok) return outcome;
    if (!outcome.value.isMet) {
      return fail({
        code: "TIMEOUT",
        message: `waited ${waitMs} ms for ${JSON.stringify(input.for)}: ${outcome.value.words}`,
        suggestion: "deskmap read shows what is there; --timeout waits longer.",
        done: nothingDone,
      });
    }
    return succeed({ ...outcome.value, condition: input.for });
  },
});
