import * as z from "zod/mini";
import { actingOutput, actOn, dailyTarget, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { requiredWords, text } from "./fields.ts";

type StateOrder = "toggle" | "check" | "uncheck" | "expand" | "collapse" | "select" | "hover";

/** A tool that does one thing to one control; `daily` is its short description for MCP. */
function defineStateTool(kind: StateOrder, summary: string, description: string, example: string, daily?: string) {
  return defineTool({
    name: kind,
    summary,
    description,
    examples: [`deskmap ${kind} --id 12`, `deskmap ${kind} ${example}`],
    words: ["words"],
    ...(daily === undefined ? {} : { daily: { says: daily, fields: dailyTarget } }),
    hints: { isDestructive: false, isIdempotent: kind !== "toggle" },
    input: z.object({
      words: text("the control by words, as find takes them; words that fit several are refused"),
      ...targetSelection,
    }),
    ...actingOutput,
    run: (input, session) => actOn(session, input, { tool: kind, words: input.words, order: { kind } }),
  });
}

export const toggle = defineStateTool(
  "toggle",
  "Switch a toggle to its other state.",
  "A check box, a switch or a toggle button. The answer is confirmed when its state is another.",
  "bold --app writer",
  "Switch a toggle to its other state.",
);

export const check = defineStateTool(
  "check",
  "Make sure that a box, switch or radio button is on.",
  "Nothing is done when it already is.",
  "wrap lines --app mousepad",
  "Make sure a check box, switch or radio is on.",
);

export const uncheck = defineStateTool(
  "uncheck",
  "Make sure that a check box or switch is off.",
  "Nothing is done when it already is.",
  "wrap lines --app mousepad",
  "Make sure a check box or switch is off.",
);

export const expand = defineStateTool(
  "expand",
  "Open a tree entry, an expander, a combo box or a menu.",
  "Nothing is done when it is open.",
  "documents --role treeitem",
  "Open a tree entry, expander, combo box or menu.",
);

export const collapse = defineStateTool(
  "collapse",
  "Close a tree entry, an expander, a combo box or a menu.",
  "Nothing is done when it is closed.",
  "documents --role treeitem",
  "Close a tree entry, expander, combo box or menu.",
);

export const select = defineStateTool(
  "select",
  "Choose an entry: a row, a tab, an option, a radio button.",
  "An entry of a long list is scrolled into view where that is needed.",
  "invoices --role tab",
  "Choose a row, tab, option or radio button; scrolled into view if needed.",
);

export const hover = defineStateTool(
  "hover",
  "Move the pointer over a control.",
  "The pointer stays there. A tip that opens is shown by the next read.",
  "help --app mousepad",
);

export const action = defineTool({
  name: "action",
  summary: "Perform one of a control's own actions, by its name.",
  description: "deskmap element N and a refused action list the names that a control offers.",
  examples: ["deskmap action activate --id 12", 'deskmap action "expand or contract" --on documents'],
  words: ["name"],
  input: z.object({ name: requiredWords("the action's name"), ...targetSelection }),
  ...actingOutput,
  run: (input, session) => actOn(session, input, { tool: "action", order: { kind: "action", name: input.name } }),
});
