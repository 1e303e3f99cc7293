import * as z from "zod/mini";
import { buttons } from "../model/command.ts";
import { succeed } from "../model/failure.ts";
import { actingOutput, carryOut, dailyTarget, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { flag, oneOf, text } from "./fields.ts";
import { chooseAim, parsePoint } from "./pointing.ts";

export const click = defineTool({
  name: "click",
  summary: "Click a control: by its mark, by words, or at a point.",
  description:
    "A plain click uses what the control offers (its action, its selection, the focus), and the pointer only if it " +
    "offers nothing or carries it out late; another button, --double, --at and --pointer always use the pointer. Before the pointer is used, the control " +
    "must be in view, enabled, at rest and uncovered. The answer lists the observed changes. confirmed means that the " +
    "effect was seen, and only then is the exit code 0 (4: done, but not seen to work; 1: not done).",
  examples: [
    "deskmap click --id 12",
    "deskmap click save --app mousepad",
    "deskmap click --at 640,400 --button right",
    "deskmap click --role btn --within 30 --nth 2",
    "deskmap click --id 12 --at 5,8 --double",
  ],
  words: ["words"],
  daily: {
    says: 'Click a control by mark, words or point. The answer lists what changed; only effect "confirmed" was seen to work.',
    fields: { ...dailyTarget, at: "or X,Y", button: "", double: "" },
  },
  input: z.object({
    words: text("the control by words, as find takes them; words that fit several are refused"),
    ...targetSelection,
    button: oneOf(buttons, "mouse button (left)"),
    double: flag("double-click"),
    pointer: flag("with the pointer, even if the control offers an action"),
    at: text("X,Y: a point of the screen; with a mark or words, one within the control, from its upper left corner"),
  }),
  ...actingOutput,
  async run(input, session) {
    const { words, at, ...named } = input;
    const isInside = [words, input.id, input.on, input.role].some((one) => one !== undefined);
    const aim = chooseAim(isInside ? named : input, words);
    if (!aim.ok) return aim;
    const offset = isInside && at !== undefined ? parsePoint(at) : succeed(undefined);
    if (!offset.ok) return offset;
    const { button = "left", double = false, pointer: isByPointer } = input;
    const count = double ? (2 as const) : (1 as const);
    const order = { kind: "click" as const, button, count, offset: offset.value, isByPointer };
    return carryOut(session, { ...input, tool: "click", aim: aim.value, order });
  },
});
