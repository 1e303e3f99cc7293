import * as z from "zod/mini";
import { open as openThing } from "../act/system.ts";
import { actingOutput, dryRun } from "./acting.ts";
import { defineTool } from "./define.ts";
import { list, requiredWords } from "./fields.ts";

export const open = defineTool({
  name: "open",
  summary: "Open an application, a file or an address.",
  description:
    "An application is named by its name or the id of its desktop file, in any case, or by its program; a file or an " +
    "address is opened with the default application for its type. Words after -- go to the program. It keeps running " +
    "after the command. Confirmed when its window appears; unverified if none does in time (a slow one needs " +
    "--timeout-ms 30000).",
  examples: [
    "deskmap open mousepad",
    "deskmap open calculator",
    "deskmap open notes.txt",
    "deskmap open https://example.org",
    "deskmap open mousepad -- --disable-server notes.txt",
  ],
  words: ["what", "args"],
  daily: {
    says: "Open an application by name, a file or an address.",
    fields: { what: "", args: "" },
  },
  hints: { isDestructive: false },
  input: z.object({
    what: requiredWords("an application's name, a file or an address"),
    args: list("more words for the program, after --"),
    dryRun,
  }),
  ...actingOutput,
  async run({ what, args = [], dryRun: isDryRun = false }, session) {
    const desktop = await session.openPlatformToAct();
    if (!desktop.ok) return desktop;
    const { timeoutMs, folder } = session;
    return openThing(desktop.value, what, args, { timeoutMs, isDryRun, folder });
  },
});
