import * as z from "zod/mini";
import { succeed } from "../model/failure.ts";
import { checksForms, checksOutput } from "../show/checks.ts";
import { defineTool } from "./define.ts";
import { flag } from "./fields.ts";

export const doctor = defineTool({
  name: "doctor",
  summary: "Show what works on this desktop: what does not, and the command that fixes it.",
  description:
    "Checks the display, window manager, compositor, buses, map, sandbox, and every open application: its toolkit and " +
    "whether it has a tree. ok works; note is worth knowing; off cannot be read until it is fixed; broken keeps " +
    "Deskmap from working, and gives exit code 1.",
  examples: ["deskmap doctor", "deskmap doctor --fix", "deskmap doctor --format json"],
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  input: z.object({
    fix: flag("switch on what can be switched on while applications run: accessibility, for Firefox and others"),
  }),
  isReport: true,
  isLocal: true,
  output: checksOutput,
  forms: checksForms,
  async run(input, session) {
    return succeed(await session.diagnose(input.fix ?? false));
  },
});
