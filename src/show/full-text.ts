import { cleanLine } from "../model/plain-text.ts";
import type { TextView } from "../model/view.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

/** One line of ours, always; everything after it is the text, so that no line of the text can pass for ours. */
export function showText(mark: number, { text, start, end, length, notes }: TextView): string {
  const next = end < length ? `; next: deskmap text --id ${mark} --start ${end}` : "";
  const cuts = notes.map((note) => `; ${note.code} ${cleanLine(note.text)}`).join("");
  return `# text of ${mark}, characters ${start} to ${end} of ${length}${next}${cuts}\n${text}`;
}

export function textToJson(mark: number, { text, start, end, length, notes }: TextView, isPretty: boolean): string {
  const rest = end < length ? { next: end } : {};
  const partial = notes.length > 0 ? { partial: true, notes } : {};
  return stringify({ i: mark, start, end, length, ...rest, ...partial, text }, isPretty);
}

export function textToCsv(mark: number, { text, start, end, length }: TextView): string {
  return joinRows("i,start,end,length,text", [[mark, start, end, length].map(String).concat(text)]);
}
