import * as z from "zod/mini";
import { describeUsage, fail } from "../model/failure.ts";
import { actingOutput, actOn, dailyOn, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { anyText } from "./fields.ts";

export const setValue = defineTool({
  name: "set-value",
  summary: "Set the value of a field, a slider or a spin button.",
  description:
    "A text replaces everything in the field, through its editable text if it has that, else by selecting all and " +
    "typing; a number is set as a value. It is read back: partial means that the control holds something else now. " +
    'An empty text ("") empties a field.',
  examples: [
    'deskmap set-value "Ada Lovelace" --id 7',
    "deskmap set-value 40 --on volume --role slider",
    "deskmap set-value --file letter.txt --id 9",
  ],
  words: ["text"],
  piped: "text",
  unspoken: ["text"],
  daily: { says: "Set a field, slider, spin or combo box to a value.", fields: { text: "", ...dailyOn } },
  hints: { isDestructive: true, isIdempotent: true },
  input: z.object({
    text: anyText("the text or number"),
    ...targetSelection,
  }),
  ...actingOutput,
  async run(input, session) {
    if (input.text === undefined) return fail(describeUsage("no value is given", 'deskmap set-value "text" --id 7'));
    const order = { kind: "set-value" as const, text: input.text };
    return actOn(session, input, { tool: "set-value", order });
  },
});
