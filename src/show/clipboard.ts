import * as z from "zod/mini";
import { type Selection, selections } from "../model/clipboard.ts";
import { type Effect, exitCodeOfEffect } from "../model/effect.ts";
import { cleanLines } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { effectForms, effectOutput } from "./effect.ts";
import { type DataOf, type Forms, partly } from "./output.ts";

export interface ClipboardText {
  readonly selection: Selection;
  /** The part that is shown. */
  readonly text: string;
  /** Of the whole, in UTF-16 units. */
  readonly length: number;
}

const contentOutput = () =>
  z.strictObject({ selection: z.enum(selections), length: z.number(), text: z.string(), ...partly() });

/** Its content, or the effect of writing to it. */
export const clipboardOutput = () => z.union([contentOutput(), effectOutput()]);

export const clipboardForms: Forms<ClipboardText | Effect, DataOf<typeof clipboardOutput>> = {
  data: (value) => ("verdict" in value ? effectForms.data(value) : contentForms.data(value)),
  text: (value) => ("verdict" in value ? effectForms.text(value) : contentForms.text(value)),
  csv: (value) => ("verdict" in value ? effectForms.csv(value) : contentForms.csv(value)),
  exitCode: (value) => ("verdict" in value ? exitCodeOfEffect(value) : 0),
};

const contentForms: Forms<ClipboardText, DataOf<typeof contentOutput>> = {
  data({ selection, text, length }) {
    const note = `${text.length} of ${length} characters`;
    const notes = text.length < length ? { partial: true as const, notes: [{ code: "TRUNCATED", text: note }] } : {};
    return { selection, length, text, ...notes };
  },
  /** Exactly one line of ours comes first. Control characters are removed; JSON has the exact text. */
  text({ selection, text, length }) {
    if (length === 0) return `# the ${nameOf(selection)} is empty`;
    const cut = text.length < length ? `; TRUNCATED ${text.length} of ${length} characters` : "";
    return `# the ${nameOf(selection)}, ${length} characters${cut}\n${cleanLines(text)}`;
  },
  csv: ({ selection, text, length }) => joinRows("selection,length,text", [[selection, String(length), text]]),
};

function nameOf(selection: Selection): string {
  return selection === "clipboard" ? "clipboard" : "primary selection";
}
