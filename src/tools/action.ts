import * as z from "zod/mini";
import { actingOutput } from "./acting.ts";
import { chooseAim, onWords, targetSelection } from "./aim.ts";
import { defineTool } from "./define.ts";
import { requiredWords } from "./fields.ts";
import { carryOut } from "./order.ts";

export const action = defineTool({
  name: "action",
  summary: "Perform one of a control's own actions, by the platform's name for it.",
  description: "deskmap at X Y and a refused action list the names that a control offers.",
  examples: ["deskmap action activate --id 12", 'deskmap action "expand or contract" --on documents'],
  words: ["name"],
  input: z.object({ name: requiredWords("the action's name"), on: onWords, ...targetSelection }),
  ...actingOutput,
  async run(input, session) {
    const aim = chooseAim(input, input.on);
    if (!aim.ok) return aim;
    const order = { kind: "action" as const, name: input.name };
    return carryOut(session, { ...input, tool: "action", aim: aim.value, order });
  },
});
