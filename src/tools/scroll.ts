import * as z from "zod/mini";
import { directions } from "../model/command.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Aim, Order } from "../model/order.ts";
import { actingOutput, carryOut, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { number, oneOf, text, wholeNumber } from "./fields.ts";
import { chooseAim } from "./pointing.ts";

const defaultAmount = 3;

const input = z.object({
  words: text("the control by words, as find takes them; words that fit several are refused"),
  direction: oneOf(directions, "which way (down)"),
  amount: wholeNumber(1, `clicks of the wheel (${defaultAmount})`, 200),
  percent: number(0, 100, "to this place of the whole, by the scroll bar; up to 100"),
  toId: wholeNumber(1, "until the control with this mark is in view"),
  ...targetSelection,
});

export const scroll = defineTool({
  name: "scroll",
  summary: "Scroll: by the wheel, to a percentage, or until a control is in view.",
  description:
    "With a direction, the wheel is turned over the control or the point, else over the largest part of the window that " +
    "scrolls. --percent sets the scroll bar of the control " +
    "or of its container. --to-id scrolls the containers of the control. Confirmed means that something moved.",
  examples: [
    "deskmap scroll --direction down --amount 5 --id 7",
    "deskmap scroll --percent 100 --id 7",
    "deskmap scroll --to-id 31",
    "deskmap scroll --direction up --app firefox",
  ],
  words: ["words"],
  daily: {
    says: "Scroll by the wheel, to a percentage, or until a control is in view.",
    fields: {
      direction: "",
      amount: "",
      percent: "",
      toId: "mark to bring into view",
      id: "mark to scroll in",
      app: "",
    },
  },
  hints: { isDestructive: false },
  input,
  ...actingOutput,
  async run(given, session) {
    const chosen = choose(given);
    return chosen.ok ? carryOut(session, { ...given, tool: "scroll", ...chosen.value }) : chosen;
  },
});

function choose(given: z.infer<typeof input>): Result<{ readonly aim: Aim | undefined; readonly order: Order }> {
  const { words, direction, amount, percent, toId } = given;
  const isWheel = direction !== undefined || amount !== undefined;
  if ([isWheel, percent !== undefined, toId !== undefined].filter(Boolean).length > 1) {
    const message = "--direction with --amount, --percent and --to-id are three ways to scroll";
    return fail(describeUsage(message, "give one of them."));
  }
  const aim = chooseAim(given, words);
  if (!aim.ok) return aim;
  if (toId !== undefined) {
    if (aim.value !== undefined)
      return fail(describeUsage("--to-id names the control already", `--to-id ${toId} alone`));
    return succeed({ aim: { by: "mark", mark: toId }, order: { kind: "scroll-to" } });
  }
  if (percent !== undefined) {
    const isHorizontal = direction === "left" || direction === "right";
    return succeed({ aim: aim.value ?? { by: "main" }, order: { kind: "scroll-percent", percent, isHorizontal } });
  }
  const order: Order = { kind: "scroll", direction: direction ?? "down", amount: amount ?? defaultAmount };
  return succeed({ aim: aim.value ?? { by: "main" }, order });
}
