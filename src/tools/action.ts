import * as z from "zod/mini";
import { actingOutput, actOn, onWords, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { requiredWords } from "./fields.ts";

export const action = defineTool({
  name: "action",
  summary: "Perform one of a control's own actions, by its name.",
  description: "deskmap at X Y and a refused action list the names that a control offers.",
  examples: ["deskmap action activate --id 12", 'deskmap action "expand or contract" --on documents'],
  words: ["name"],
  input: z.object({ name: requiredWords("the action's name"), on: onWords, ...targetSelection }),
  ...actingOutput,
  run: (input, session) =>
    actOn(session, input, { tool: "action", words: input.on, order: { kind: "action", name: input.name } }),
});
