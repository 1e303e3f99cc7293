import * as z from "zod/mini";
import { parseCombo } from "../find/combo.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Combo } from "../model/keys.ts";
import type { Order } from "../model/order.ts";
import { actingOutput, actOn, dailyOn, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { anyText, flag, text, wholeNumber } from "./fields.ts";

const input = z.object({
  words: anyText("the text to type"),
  text: anyText("the text to type, where plain words will not do"),
  key: text("a key combination instead: ctrl+s, enter, shift+tab, f7, cmd+c"),
  repeat: wholeNumber(1, "press the combination so often: one that moves, undoes or redoes (1)", 100),
  replace: flag("in place of what the control holds; otherwise after it"),
  delay: wholeNumber(0, "milliseconds between the keys (0)", 1000),
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
    "deskmap type --key shift+down --repeat 3",
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
    return order.ok ? actOn(session, given, { tool: "type", order: order.value }) : order;
  },
});

function chooseOrder(order: z.infer<typeof input>): Result<Order> {
  const { words, text: given, key, repeat, delay = 0, replace: isReplacing } = order;
  const typed = given ?? words;
  if (words !== undefined && given !== undefined) {
    return fail(describeUsage("the text is given twice", "give it as words or with --text, not both."));
  }
  if (key !== undefined) {
    if (typed !== undefined) return fail(describeUsage("--key and a text exclude each other", "type them one by one."));
    const combo = parseCombo(key);
    if (!combo.ok) return combo;
    if (repeat !== undefined && repeat > 1 && !mayRepeat(combo.value)) {
      const why = "what others do each time is known only after the one before";
      return fail(describeUsage(`only keys that move, undo or redo are repeated: ${why}`, "press it once, and look."));
    }
    return succeed({ kind: "keys", combo: combo.value, times: repeat });
  }
  if (repeat !== undefined) return fail(describeUsage("--repeat is about --key", "deskmap type --key down --repeat 3"));
  if (typed === undefined || typed === "") {
    return fail(describeUsage("no text is given", 'deskmap type "text", or deskmap type --key enter'));
  }
  if (delay * [...typed].length > longestTypingMs) {
    const message = `this text would be typed for longer than ${longestTypingMs / 60_000} minutes`;
    return fail(describeUsage(message, "a shorter --delay, or a shorter text."));
  }
  const isNamed = [order.id, order.on, order.at, order.x, order.role].some((one) => one !== undefined);
  if (isReplacing === true && !isNamed) {
    return fail(describeUsage("--replace is about a control, and none is named", "deskmap type TEXT --id 7 --replace"));
  }
  return succeed({ kind: "type", text: typed, delayMs: delay, isReplacing });
}

/** Meanwhile nobody else acts. */
const longestTypingMs = 120_000;

const moving = /^(Up|Down|Left|Right|Home|End|Page_Up|Page_Down|Tab)$/;

/** Whether a second press does what the first did: Return may press another button, and Delete delete another file. */
function mayRepeat({ modifiers, key }: Combo): boolean {
  if (moving.test(key)) return modifiers.every((one) => one === "ctrl" || one === "shift");
  return (
    modifiers.includes("ctrl") && modifiers.every((one) => one !== "alt" && one !== "super") && /^[zy]$/i.test(key)
  );
}
