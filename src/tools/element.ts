import * as z from "zod/mini";
import { describeElement } from "../desktop/describe-element.ts";
import { descriptionForms, descriptionOutput } from "../show/element-description.ts";
import { defineTool } from "./define.ts";
import { flag, requiredNumber } from "./fields.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";

export const element = defineTool({
  name: "element",
  summary: "Describe one control completely: its current state, what is remembered of it, how it would be found again.",
  description:
    "By its mark. Its current properties, containers and actions; the remembered ref, how often it was seen and used, " +
    "and its confidence over time. --evidence compares it with all other elements: whether it would be found again by " +
    "its description alone, by which properties, and by what margin. A control that is not there now is described from " +
    "memory. The content of a secret field is never shown.",
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
