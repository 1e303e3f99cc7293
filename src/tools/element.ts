import * as z from "zod/mini";
import { describeElement } from "../desktop/describe-element.ts";
import { descriptionForms, descriptionOutput } from "../show/element-description.ts";
import { defineTool } from "./define.ts";
import { flag, requiredNumber } from "./fields.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";

export const element = defineTool({
  name: "element",
  summary: "Tell everything about one control: what it is now, what is remembered of it, how it would be found again.",
  description:
    "By its mark. All properties as they are now, with what it is inside of and what can be done with it; the ref that is " +
    "remembered, how often it was seen and used, and how far it was relied on over time. --evidence weighs it against " +
    "everything else that is there: whether it would be found again by its description alone, by what, and how far before " +
    "the next. A control that is not there now is told from memory. What a secret field holds is not told.",
  examples: ["deskmap element 12", "deskmap element 12 --evidence"],
  words: ["id"],
  hints: { isReadOnly: true },
  input: z.object({
    id: requiredNumber(1, Number.MAX_SAFE_INTEGER, "the control's mark"),
    evidence: flag("also how it would be found again, and how well"),
    ...windowSelection,
  }),
  output: descriptionOutput,
  forms: descriptionForms,
  async run(input, session) {
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const { id: mark, evidence: withEvidence = false } = input;
    const query = { ...windowQueryOf(input), mark, withEvidence, timeoutMs: session.timeoutMs };
    return describeElement(desktop.value, query);
  },
});
