import * as z from "zod/mini";
import { parseCombo } from "../find/combo.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import { actingOutput, actOn, dailyOn, onWords, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { anyText, flag, text, wholeNumber } from "./fields.ts";

const input = z.object({
  words: anyText("the text to type"),
  text: anyText("the text to type, where plain words will not do"),
  key: text("a key combination instead: ctrl+s, enter, shift+tab, f7, cmd+c"),
  replace: flag("in place of what the control holds; otherwise after it"),
  delay: wholeNumber(0, "milliseconds between the keys (0)", 10_000),
  on: onWords,
  ...targetSelection,
});

export const type = defineTool({
  name: "type",
  summary: "Type text, or press a key combination.",
  description:
    "If a control is named, it gets the focus first, and the text comes after what it holds, whatever is selected, or in its " +
    "place with --replace. Otherwise the text goes to the focused control, in the front window or the one that --app and " +
    "--window choose, where its caret is. Any Unicode text is typed exactly, under any keyboard layout. It " +
    "is read back: confirmed means that the field holds it.",
  examples: [
    'deskmap type "Grüße, мир 🙂" --id 7',
    "deskmap type --key ctrl+shift+t",
    "deskmap type hello world --on search --app firefox",
    "deskmap type --file letter.txt --app mousepad",
  ],
  words: ["words"],
  piped: "words",
  unspoken: ["words", "text"],
  daily: {
    says: "Type text into a control (else into what has the focus), or press a key.",
    fields: { text: "", key: "instead: ctrl+s, enter", ...dailyOn },
  },
  input,
  ...actingOutput,
  async run(given, session) {
    const order = chooseOrder(given);
    return order.ok ? actOn(session, given, { tool: "type", words: given.on, order: order.value }) : order;
  },
});

function chooseOrder(order: z.infer<typeof input>): Result<Order> {
  const { words, text: given, key, delay = 0, replace: isReplacing } = order;
  const typed = given ?? words;
  if (words !== undefined && given !== undefined) {
    return fail(describeUsage("the text is given twice", "give it as words or with --text, not both."));
  }
  if (key !== undefined) {
    if (typed !== undefined) return fail(describeUsage("--key and a text exclude each other", "type them one by one."));
    const combo = parseCombo(key);
    return combo.ok ? succeed({ kind: "keys", combo: combo.value }) : combo;
  }
  if (typed === undefined || typed === "") {
    return fail(describeUsage("no text is given", 'deskmap type "text", or deskmap type --key enter'));
  }
  const isNamed = [order.id, order.on, order.x].some((one) => one !== undefined);
  if (isReplacing === true && !isNamed) {
    return fail(describeUsage("--replace is about a control, and none is named", "deskmap type TEXT --id 7 --replace"));
  }
  return succeed({ kind: "type", text: typed, delayMs: delay, isReplacing });
}
