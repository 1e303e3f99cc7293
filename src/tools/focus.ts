import * as z from "zod/mini";
import { arrange } from "../act/arrange.ts";
import { actingOutput, carryOut, targetSelection } from "./acting.ts";
import { defineTool } from "./define.ts";
import { text } from "./fields.ts";
import { chooseAim } from "./pointing.ts";
import { openWindow } from "./selection.ts";

export const focus = defineTool({
  name: "focus",
  summary: "Give a window or a control the keyboard focus.",
  description:
    "A window comes to the front: a minimised one is restored, and for one on another workspace the workspace is " +
    "switched; confirmed when the window manager reports it as active. A control, by its mark or by words, gets the " +
    "keyboard focus in its window; confirmed when it reports the focus.",
  examples: [
    "deskmap focus --app mousepad",
    'deskmap focus --window "Save As"',
    "deskmap focus --id 7",
    "deskmap focus search field --app firefox",
  ],
  words: ["words"],
  hints: { isDestructive: false, isIdempotent: true },
  input: z.object({
    words: text("a control by words, as find takes them"),
    ...targetSelection,
  }),
  ...actingOutput,
  async run(input, session) {
    const aim = chooseAim(input, input.words);
    if (!aim.ok) return aim;
    if (aim.value !== undefined) {
      return carryOut(session, { ...input, tool: "focus", aim: aim.value, order: { kind: "focus" } });
    }
    const opened = await openWindow(session, input);
    if (!opened.ok) return opened;
    const { desktop, window } = opened.value;
    const options = { timeoutMs: session.timeoutMs, isDryRun: input.dryRun ?? false };
    return arrange(desktop, window, { name: "focus" }, options);
  },
});
