import * as z from "zod/mini";
import { describeElement } from "../desktop/describe-element.ts";
import { describeUsage, fail } from "../model/failure.ts";
import { descriptionForms, descriptionOutput } from "../show/element-description.ts";
import { defineTool } from "./define.ts";
import { flag, text } from "./fields.ts";
import { chooseAim, pointing } from "./pointing.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";

export const element = defineTool({
  name: "element",
  summary: "Describe one control completely: its current state, what is remembered of it, how it would be found again.",
  description:
    "By its mark, by words, or at a point. Its current properties, containers and actions; the remembered ref, how often it was seen and used, " +
    "and its confidence over time. --evidence compares it with all other elements: whether it would be found again by " +
    "its description alone, by what, and by what margin. What is not there now is described from " +
    "memory. The content of a secret field is never shown.",
  examples: ["deskmap element 12", "deskmap element save --app mousepad --evidence", "deskmap element --at 640,400"],
  words: ["words"],
  hints: { isReadOnly: true },
  input: z.object({
    words: text("the control's mark, or words as find takes them; --on takes digits as words, too"),
    ...pointing,
    evidence: flag("also how it would be found again, and how well"),
    ...windowSelection,
  }),
  output: descriptionOutput,
  forms: descriptionForms,
  async run(input, session) {
    const { words, evidence: withEvidence = false } = input;
    const isMark = words !== undefined && input.id === undefined && /^[1-9]\d{0,14}$/.test(words);
    const aim = isMark ? chooseAim({ ...input, id: Number(words) }) : chooseAim(input, words);
    if (!aim.ok) return aim;
    if (aim.value === undefined) {
      return fail(describeUsage("no control is named", "deskmap element 12, or deskmap element WORDS"));
    }
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const query = { ...windowQueryOf(input), aim: aim.value, withEvidence, timeoutMs: session.timeoutMs };
    return describeElement(desktop.value, query);
  },
});
