import * as z from "zod/mini";
import { cleanLine } from "../model/plain-text.ts";
import type { TextView } from "../model/view.ts";
import { joinRows } from "./csv.ts";
import { type DataOf, type Forms, partly } from "./output.ts";

export interface MarkedText extends Pick<TextView, "text" | "start" | "end" | "length" | "notes" | "caret"> {
  readonly mark: number;
}

export const textOutput = () =>
  z.strictObject({
    i: z.number(),
    start: z.number(),
    end: z.number(),
    length: z.number(),
    next: z.optional(z.number()),
    ...partly(),
    caret: z.optional(z.strictObject({ at: z.number(), start: z.number(), end: z.number() })),
    text: z.string(),
  });

export type TextData = DataOf<typeof textOutput>;

export const textForms: Forms<MarkedText, TextData> = {
  data({ mark, text, start, end, length, notes, caret }) {
    const rest = end < length ? { next: end } : {};
    const partial = notes.length > 0 ? { partial: true as const, notes } : {};
    return { i: mark, start, end, length, ...rest, ...partial, ...(caret === undefined ? {} : { caret }), text };
  },
  /** Exactly one line of ours comes first, so that no line of the text can pass for one. */
  text({ mark, text, start, end, length, notes, caret }) {
    const next = end < length ? `; next: deskmap text --id ${mark} --start ${end}` : "";
    const cuts = notes.map((note) => `; ${note.code} ${cleanLine(note.text)}`).join("");
    return `# text of ${mark}, characters ${start} to ${end} of ${length}${describeCaret(caret)}${next}${cuts}\n${text}`;
  },
  csv: ({ mark, text, start, end, length }) =>
    joinRows("i,start,end,length,text", [[mark, start, end, length].map(String).concat(text)]),
};

function describeCaret(caret: MarkedText["caret"]): string {
  if (caret === undefined) return "";
  const { at, start, end } = caret;
  return end > start ? `; caret at ${at}, selected ${start} to ${end}` : `; caret at ${at}`;
}
