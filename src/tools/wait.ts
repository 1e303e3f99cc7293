import * as z from "zod/mini";
import { waitFor } from "../desktop/wait.ts";
import { parseCondition } from "../find/condition.ts";
import type { WindowQuery } from "../find/select.ts";
import { defaultTimeoutMs } from "../model/default-timeout.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { VisionMode } from "../model/source.ts";
import { type Judged, outcomeForms, outcomeOutput } from "../show/outcome.ts";
import { defineTool } from "./define.ts";
import { requiredWords, wholeNumber } from "./fields.ts";
import { visionOption, windowQueryOf, windowSelection } from "./selection.ts";
import type { Session } from "./session.ts";

const defaultTimeout = 10_000;

const forms =
  '(button "Save" appears; 12 disappears; input "Name" has value "Ada"; "Status" contains "ready"; 12 changes; ' +
  'button "OK" becomes enabled; window "Save As" opens or closes; screen still)';

export const wait = defineTool({
  name: "wait",
  summary: "Wait until a condition holds: about an element, a window, or the screen at rest.",
  description:
    `A condition is a short sentence ${forms}. An element is named by its mark, by its exact name in quotes with or ` +
    "without its role, or by words as find takes them. It is checked after every change. After the timeout the exit " +
    "code is 1.",
  examples: [
    `deskmap wait --for 'button "Save" appears' --app mousepad`,
    "deskmap wait --for '12 becomes enabled' --timeout 30000",
    "deskmap wait --for 'screen still'",
  ],
  daily: {
    says:
      'Wait until a condition holds: button "Save" appears | 12 disappears | input "Name" has value "Ada" | 12 becomes ' +
      'enabled | window "Save As" opens | screen still.',
    fields: { for: "", timeout: "ms (10000)", app: "" },
  },
  input: z.object({
    for: requiredWords("what to wait for"),
    timeout: wholeNumber(1, `give up after this many milliseconds (${defaultTimeout}, or --timeout-ms)`, 3_600_000),
    ...windowSelection,
    ...visionOption,
  }),
  output: outcomeOutput,
  forms: outcomeForms,
  async run(input, session) {
    // Whoever limits each answer to a second does not want to wait for ten.
    const limitMs = session.timeoutMs === defaultTimeoutMs ? defaultTimeout : session.timeoutMs;
    const { timeout: waitMs = limitMs } = input;
    const outcome = await judge(session, input.for, waitMs, input);
    if (!outcome.ok || outcome.value.isMet) return outcome;
    const message = `waited ${waitMs} ms for ${JSON.stringify(input.for)}: ${outcome.value.words}`;
    return fail(makeFailure("TIMEOUT", message, "deskmap read shows what is there; --timeout waits longer."));
  },
});

export const expect = defineTool({
  name: "expect",
  summary: "Check whether a condition holds now: exit code 0 or 1.",
  description: "The conditions of wait, checked once, for scripts and tests.",
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
    return judge(session, input.condition, 0, input);
  },
});

async function judge(
  session: Session,
  text: string,
  waitMs: number,
  input: WindowQuery & { readonly vision?: VisionMode | undefined },
): Promise<Result<Judged>> {
  const condition = parseCondition(text);
  if (!condition.ok) return condition;
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const { timeoutMs } = session;
  const query = { ...windowQueryOf(input), condition: condition.value, waitMs, timeoutMs, vision: input.vision };
  const outcome = await waitFor(desktop.value, query);
  return outcome.ok ? succeed({ ...outcome.value, condition: text }) : outcome;
}
