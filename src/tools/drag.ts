import * as z from "zod/mini";
import { buttons } from "../model/command.ts";
import { farthest } from "../model/coordinates.ts";
import { describeUsage, fail, type Result } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import { actingOutput, carryOut, chooseAim, dryRun, verifying } from "./acting.ts";
import { defineTool } from "./define.ts";
import { oneOf, text, wholeNumber } from "./fields.ts";
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
    "deskmap drag --from-id 4 --to-x 800 --to-y 300",
    "deskmap drag --from milk --to basket",
  ],
  daily: {
    says: "Drag from one control or point to another.",
    fields: { fromId: "mark", toId: "mark", fromX: "", fromY: "", toX: "", toY: "" },
  },
  input: z.object({
    fromId: wholeNumber(1, "start at the control with this mark"),
    from: text("start at the control that these words name"),
    fromX: pixels("start at this point of the screen"),
    fromY: pixels("with --from-x"),
    toId: wholeNumber(1, "end at the control with this mark"),
    to: text("end at the control that these words name"),
    toX: pixels("end at this point of the screen"),
    toY: pixels("with --to-x"),
    button: oneOf(buttons, "mouse button (left)"),
    ...windowSelection,
    dryRun,
    verify: verifying,
  }),
  ...actingOutput,
  async run(input, session) {
    const from = chooseEnd("from", input.fromId, input.fromX, input.fromY, input.from);
    if (!from.ok) return from;
    const to = chooseEnd("to", input.toId, input.toX, input.toY, input.to);
    if (!to.ok) return to;
    if (from.value === undefined || to.value === undefined) {
      return fail(describeUsage("a drag has two ends", "deskmap drag --from-id 4 --to-id 9"));
    }
    const order = { kind: "drag" as const, to: to.value, button: input.button ?? ("left" as const) };
    return carryOut(session, { ...input, tool: "drag", aim: from.value, order });
  },
});

function chooseEnd(
  end: string,
  id: number | undefined,
  x: number | undefined,
  y: number | undefined,
  words: string | undefined,
): Result<Aim | undefined> {
  const aim = chooseAim({ id, x, y }, words);
  if (aim.ok) return aim;
  const message = aim.failure.message.replaceAll(/--(id|x|y)/g, `--${end}-$1`);
  return fail({
    ...aim.failure,
    message,
    suggestion: `--${end}-id N, or --${end}-x and --${end}-y, or --${end} WORDS`,
  });
}
