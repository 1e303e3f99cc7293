import * as z from "zod/mini";
import { buttons } from "../model/command.ts";
import { farthest } from "../model/coordinates.ts";
import { describeUsage, fail } from "../model/failure.ts";
import { actingOutput, carryOut, dryRun, verifying } from "./acting.ts";
import { defineTool } from "./define.ts";
import { oneOf, text, wholeNumber } from "./fields.ts";
import { chooseEnd, pointing } from "./pointing.ts";
import { windowSelection } from "./selection.ts";

const pixels = (description: string) => wholeNumber(-farthest, description, farthest);

export const drag = defineTool({
  name: "drag",
  summary: "Drag from one control or point to another.",
  description:
    "Both ends are made ready before the button goes down, and the button is released even if something goes wrong. " +
    "Confirmed means that something was seen to move or change.",
  examples: [
    "deskmap drag --from-id 4 --to-id 9",
    "deskmap drag --from-id 4 --to-at 800,300",
    "deskmap drag --from milk --to basket",
  ],
  daily: {
    says: "Drag from one control or point to another.",
    fields: { fromId: "mark", toId: "mark", fromAt: "or X,Y", toAt: "" },
  },
  input: z.object({
    fromId: wholeNumber(1, "start at the control with this mark"),
    from: text("start at the control that these words name; or --from-on"),
    fromOn: pointing.on,
    fromAt: text("start at this point of the screen: X,Y"),
    fromX: pixels("with --from-y: the same as --from-at X,Y"),
    fromY: pixels("with --from-x"),
    fromRole: pointing.role,
    fromWithin: pointing.within,
    fromNth: pointing.nth,
    id: wholeNumber(1, "the same as --from-id"),
    toId: wholeNumber(1, "end at the control with this mark"),
    to: text("end at the control that these words name; or --to-on"),
    toOn: pointing.on,
    toAt: text("end at this point of the screen: X,Y"),
    toX: pixels("with --to-y: the same as --to-at X,Y"),
    toY: pixels("with --to-x"),
    toRole: pointing.role,
    toWithin: pointing.within,
    toNth: pointing.nth,
    button: oneOf(buttons, "mouse button (left)"),
    ...windowSelection,
    dryRun,
    verify: verifying,
  }),
  ...actingOutput,
  async run(input, session) {
    const from = chooseEnd(
      "from",
      {
        id: input.fromId ?? input.id,
        on: input.fromOn,
        at: input.fromAt,
        x: input.fromX,
        y: input.fromY,
        role: input.fromRole,
        within: input.fromWithin,
        nth: input.fromNth,
      },
      input.from,
    );
    if (!from.ok) return from;
    const to = chooseEnd(
      "to",
      {
        id: input.toId,
        on: input.toOn,
        at: input.toAt,
        x: input.toX,
        y: input.toY,
        role: input.toRole,
        within: input.toWithin,
        nth: input.toNth,
      },
      input.to,
    );
    if (!to.ok) return to;
    if (from.value === undefined || to.value === undefined) {
      return fail(describeUsage("a drag has two ends", "deskmap drag --from-id 4 --to-id 9"));
    }
    const order = { kind: "drag" as const, to: to.value, button: input.button ?? ("left" as const) };
    return carryOut(session, { ...input, tool: "drag", aim: from.value, order });
  },
});
