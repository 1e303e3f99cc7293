import * as z from "zod/mini";
import type { Point } from "../model/bounds.ts";
import { buttons } from "../model/command.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { actingOutput, carryOut, chooseAim, dailyTarget, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { flag, oneOf, text } from "./fields.ts";

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
    "deskmap click --x 640 --y 400 --button right",
    "deskmap click --id 12 --at 5,8 --double",
  ],
  words: ["words"],
  daily: {
    says: 'Click a control by mark, words or point. The answer lists what changed; only effect "confirmed" was seen to work.',
    fields: { ...dailyTarget, x: "", y: "", button: "", double: "" },
  },
  input: z.object({
    words: text("the control by words, as find takes them; words that fit several are refused"),
    ...targetSelection,
    button: oneOf(buttons, "mouse button (left)"),
    double: flag("double-click"),
    pointer: flag("with the pointer, even if the control offers an action"),
    at: text("x,y: a point within the control, from its upper left corner"),
  }),
  ...actingOutput,
  async run(input, session) {
    const aim = chooseAim(input, input.words);
    if (!aim.ok) return aim;
    const offset = parseOffset(input.at);
    if (!offset.ok) return offset;
    if (offset.value !== undefined && aim.value?.by === "point") {
      return fail(
        describeUsage("--at is a point within a control, --x and --y one of the screen", "give one of them."),
      );
    }
    const { button = "left", double = false, pointer: isByPointer } = input;
    const count = double ? (2 as const) : (1 as const);
    const order = { kind: "click" as const, button, count, offset: offset.value, isByPointer };
    return carryOut(session, { ...input, tool: "click", aim: aim.value, order });
  },
});

function parseOffset(given: string | undefined): Result<Point | undefined> {
  if (given === undefined) return succeed(undefined);
  const match = /^\s*(\d{1,5})\s*,\s*(\d{1,5})\s*$/.exec(given);
  if (match === null) return fail(describeUsage(`--at "${given}" is not a point`, "two whole numbers: --at 5,8"));
  return succeed({ x: Number(match[1]), y: Number(match[2]) });
}
