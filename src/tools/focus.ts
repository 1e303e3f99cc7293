import * as z from "zod/mini";
import { arrange } from "../act/arrange.ts";
import { chooseWindow } from "../find/select.ts";
import { dryRun, showOutcome } from "./acting.ts";
import { defineTool } from "./define.ts";
import { windowSelection, windowWishOf } from "./selection.ts";

export const focus = defineTool({
  name: "focus",
  summary: "Bring a window to the front and give it the keyboard.",
  description:
    "A minimised window is shown again, and one on another work space is gone to. Confirmed when the window manager says " +
    "that it is the active window.",
  examples: ["deskmap focus --app mousepad", 'deskmap focus --window "Save As"', "deskmap focus --class Firefox-esr"],
  input: z.object({ ...windowSelection, dryRun }),
  async run(input, session) {
    const desktop = await session.openPlatformToAct();
    if (!desktop.ok) return desktop;
    const list = await desktop.value.platform.listWindows();
    if (!list.ok) return list;
    const chosen = chooseWindow(list.value.windows, windowWishOf(input));
    if (!chosen.ok) return chosen;
    const options = { timeoutMs: session.timeoutMs, isDryRun: input.dryRun ?? false };
    return showOutcome(await arrange(desktop.value, chosen.value, { name: "focus" }, options));
  },
});
