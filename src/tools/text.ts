import * as z from "zod/mini";
import { readText } from "../desktop/index.ts";
import { describeUsage, fail, succeed } from "../model/failure.ts";
import { textForms, textOutput } from "../show/full-text.ts";
import { defineTool } from "./define.ts";
import { flag, wholeNumber, text as words } from "./fields.ts";
import { chooseAim, pointing } from "./pointing.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";

export const text = defineTool({
  name: "text",
  summary: "Read the full text of one element.",
  description:
    "A field, a terminal, a paragraph, or a whole document or page, composed from its parts. Long texts come in " +
    "parts of 20,000 characters, with the command for the next one; --start and --end choose a range. The text of " +
    "secret fields is refused.",
  examples: [
    "deskmap text --id 7",
    "deskmap text notes --app mousepad",
    "deskmap text --id 7 --start 20000",
    "deskmap text --id 7 --start 0 --end 200",
    "deskmap text --id 7 --caret",
  ],
  words: ["words"],
  daily: { says: "Read the full text of one element.", fields: { id: "mark", start: "", end: "", caret: "" } },
  input: z.object({
    words: words("the control by words, as find takes them; words that fit several are refused"),
    ...pointing,
    start: wholeNumber(0, "first character, counted from 0"),
    end: wholeNumber(1, "character to stop before"),
    caret: flag("also say where the caret is, and what is selected"),
    ...windowSelection,
  }),
  isReport: true,
  output: textOutput,
  forms: textForms,
  async run(input, session) {
    const { start = 0, end } = input;
    const aim = chooseAim(input, input.words);
    if (!aim.ok) return aim;
    if (aim.value === undefined)
      return fail(describeUsage("no element is given", "deskmap text --id N, or deskmap text WORDS"));
    if (end !== undefined && end <= start) {
      return fail(describeUsage(`--end ${end} is not after --start ${start}`, "--start 0 --end 200"));
    }
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const { timeoutMs } = session;
    const read = await readText(desktop.value, {
      ...windowQueryOf(input),
      aim: aim.value,
      start,
      end,
      timeoutMs,
      withCaret: input.caret,
    });
    return read.ok ? succeed({ ...read.value, mark: read.value.element.mark }) : read;
  },
});
