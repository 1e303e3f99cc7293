import * as z from "zod/mini";
import { find as findElements } from "../desktop/index.ts";
import { describeUsage, fail, succeed } from "../model/failure.ts";
import { findingsForms, findingsOutput } from "../show/findings.ts";
import { defineTool } from "./define.ts";
import { anyText, flag, text, wholeNumber } from "./fields.ts";
import { narrowing } from "./pointing.ts";
import { parseRoles, visionOption, windowQueryOf, windowSelection } from "./selection.ts";

const defaultMax = 10;

export const find = defineTool({
  name: "find",
  summary: "Find controls by words: the best matches with their marks, and why.",
  description:
    "Words may be a name or a part of it, a keyboard shortcut, an id, a name with its role (save button), or a name with " +
    "what is beside it (delete alice). A score of 1 is a perfect match. If nothing on the screen has this name, " +
    "hidden elements are searched, too, and marked hidden.",
  examples: ["deskmap find save", "deskmap find delete alice --app contacts", 'deskmap find "ctrl+s" --role menuitem'],
  words: ["words"],
  daily: {
    says: "Find controls by words (name, shortcut, name and role, name and what is beside it): best matches with marks.",
    fields: { words: "", app: "", window: "", role: "", all: "hidden ones too" },
  },
  input: z.object({
    words: text("what to look for; not needed with --role"),
    ...windowSelection,
    ...visionOption,
    role: anyText("only these roles, separated by commas (button or btn, input, link or lnk, …)"),
    ...narrowing,
    all: flag("search also what is not on the screen, at once"),
    max: wholeNumber(1, `at most this many matches (${defaultMax})`),
  }),
  isReport: true,
  output: findingsOutput,
  forms: findingsForms,
  async run(input, session) {
    const roles = parseRoles(input.role);
    if (!roles.ok) return roles;
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const { words = "", within, nth } = input;
    if (words === "" && roles.value === undefined) {
      return fail(describeUsage("nothing to look for is given", "deskmap find WORDS, or --role NAME"));
    }
    if (nth === 0) return fail(describeUsage("--nth counts from 1", "--nth 1 is the first, --nth -1 the last."));
    const found = await findElements(desktop.value, {
      ...windowQueryOf(input),
      words,
      roles: roles.value,
      within,
      nth,
      includeHidden: input.all ?? false,
      max: input.max ?? defaultMax,
      timeoutMs: session.timeoutMs,
      vision: input.vision,
    });
    return found.ok ? succeed({ ...found.value, words }) : found;
  },
});
