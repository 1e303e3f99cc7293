import * as z from "zod/mini";
import { quit as quitApplication } from "../act/system.ts";
import { chooseProcess } from "../find/select.ts";
import { describeUsage, fail } from "../model/failure.ts";
import { actingOutput, dryRun } from "./acting.ts";
import { defineTool } from "./define.ts";
import { flag } from "./fields.ts";
import { openWindow, windowQueryOf, windowSelection } from "./selection.ts";

export const quit = defineTool({
  name: "quit",
  summary: "Quit an application: ask all its windows to close, and confirm that it ends.",
  description:
    "The application is the process of the chosen window. It may ask a question (unsaved changes): that is partial, with the " +
    "window that asks. --force ends the process (SIGTERM) when asking did not, and only if the display confirms whose it is.",
  examples: ["deskmap quit --app mousepad", "deskmap quit --pid 4711 --force"],
  input: z.object({ ...windowSelection, force: flag("end the process if it does not end by being asked"), dryRun }),
  ...actingOutput,
  async run(input, session) {
    const query = windowQueryOf(input);
    if (Object.values(query).every((part) => part === undefined)) {
      return fail(describeUsage("quit needs an application", "deskmap quit --app NAME"));
    }
    const opened = await openWindow(session, query, chooseProcess);
    if (!opened.ok) return opened;
    const { timeoutMs } = session;
    const options = { timeoutMs, isDryRun: input.dryRun ?? false, isForced: input.force ?? false };
    return quitApplication(opened.value.desktop, opened.value.window, options);
  },
});
