import * as z from "zod/mini";
import { act } from "../desktop/index.ts";
import { describeUnknownMark } from "../find/refuse.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import { cleanText } from "../model/plain-text.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import { judgeConfidence } from "../model/target.ts";
import {
  type ActedOn,
  clickedForms,
  clickedOutput,
  recordedForms,
  recordedOutput,
  typedForms,
  typedOutput,
} from "../show/element-acts.ts";
import { defineTool } from "./define.ts";
import { anyText, flag, requiredWords } from "./fields.ts";
import type { Session } from "./session.ts";

const elementId = requiredWords("the id of an element, as get_screen_targets lists it");
const maxFeedbackLength = 200;

export const clickElement = defineTool({
  name: "click_element",
  summary: "Click an element by its id; learn from the observed effect.",
  description:
    "Works like click --id. success is true only if the effect was seen; the exit code is that of click. Policy rules " +
    "for click apply, too.",
  examples: ["deskmap click_element --element-id 12"],
  daily: { says: "Click an element of get_screen_targets.", fields: { elementId: "" } },
  input: z.object({ elementId }),
  output: clickedOutput,
  forms: clickedForms,
  effectOf: ({ effect }) => effect,
  run: ({ elementId: id }, session) => actOn(session, id, "click", { kind: "click", button: "left", count: 1 }),
});

export const typeInElement = defineTool({
  name: "type_in_element",
  summary: "Type text into a field by its id; learn from the observed effect.",
  description:
    "Works like type --id: the text comes after what the field holds, or in its place with --replace. success is true only if the field was seen to hold the text. The text of a secret field is " +
    "not repeated. Policy rules for type apply, too.",
  examples: ['deskmap type_in_element --element-id 7 --text "user@example.com"'],
  unspoken: ["text"],
  daily: {
    says: "Type into an element of get_screen_targets.",
    fields: { elementId: "", text: "", replace: "what it holds" },
  },
  input: z.object({
    elementId,
    text: requiredWords("the text to type"),
    replace: flag("in place of what the field holds"),
  }),
  output: typedOutput,
  forms: typedForms,
  effectOf: ({ effect }) => effect,
  async run({ elementId: id, text, replace: isReplacing }, session) {
    const acted = await actOn(session, id, "type", { kind: "type", text, delayMs: 0, isReplacing });
    if (!acted.ok) return acted;
    const isSecret = acted.value.effect.target.element?.states.has("secret") === true;
    return succeed({ ...acted.value, typed: isSecret ? undefined : maskSecrets(text) });
  },
});

export const recordActionResult = defineTool({
  name: "record_action_result",
  summary: "Report whether an action worked, to adjust confidence.",
  description:
    "Deskmap counts its own actions and their observed effects. Use this for effects that it could not see, or for " +
    "actions done in another way: a success adds 0.05, a failure subtracts 0.15.",
  examples: ['deskmap record_action_result --element-id 12 --success --feedback "the report was sent"'],
  hints: { isReadOnly: false, isDestructive: false },
  input: z.object({
    elementId,
    success: flag("it worked; else it did not"),
    feedback: anyText("what happened, in a few words"),
  }),
  output: recordedOutput,
  forms: recordedForms,
  async run({ elementId: id, success = false, feedback }, session) {
    const mark = parseMark(id);
    if (!mark.ok) return mark;
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const { marks } = desktop.value;
    if (marks.findRef(mark.value) === undefined) return fail(describeUnknownMark(mark.value));
    marks.countAct(mark.value, success);
    if (feedback !== undefined) marks.setFeedback(mark.value, cleanText(maskSecrets(feedback), maxFeedbackLength));
    const confidence = confidenceOf(desktop.value.marks, mark.value);
    return succeed({ id, mark: mark.value, success, confidence });
  },
});

async function actOn(session: Session, id: string, tool: "click" | "type", order: Order): Promise<Result<ActedOn>> {
  const mark = parseMark(id);
  if (!mark.ok) return mark;
  const desktop = await session.openToAct();
  if (!desktop.ok) return desktop;
  const aim = { by: "mark" as const, mark: mark.value };
  const effect = await act(desktop.value, { tool, aim, order, isDryRun: false, timeoutMs: session.timeoutMs });
  if (!effect.ok) return effect;
  const { marks } = desktop.value;
  const ref = marks.findRef(mark.value);
  const label =
    marks.findTaught([ref?.app ?? ""]).get(mark.value) ?? effect.value.target.element?.name ?? ref?.name ?? "";
  return succeed({ id, label, confidence: confidenceOf(marks, mark.value), effect: effect.value });
}

function confidenceOf(
  marks: { findLearned(marks: readonly number[]): ReadonlyMap<number, Parameters<typeof judgeConfidence>[0]> },
  mark: number,
): number {
  const learned = marks.findLearned([mark]).get(mark);
  return learned === undefined ? 0 : Math.round(judgeConfidence(learned) * 100) / 100;
}

/** An element's id is its mark. */
function parseMark(id: string): Result<number> {
  const mark = /^\s*\d{1,16}\s*$/.test(id) ? Number(id) : 0;
  if (mark > 0 && Number.isSafeInteger(mark)) return succeed(mark);
  const suggestion = "try get_screen_targets again: an id is a whole number.";
  return fail(describeUsage(`Element ${JSON.stringify(id)} not found`, suggestion));
}
