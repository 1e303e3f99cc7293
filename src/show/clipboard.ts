import type { Selection } from "../model/clipboard.ts";
import { cleanLines } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

export interface ClipboardText {
  readonly selection: Selection;
  /** As much of it as is shown. */
  readonly text: string;
  /** Of the whole, in UTF-16 units. */
  readonly length: number;
}

/** One line of ours, always; everything after it is the text, without what could steer a terminal. JSON has it exactly. */
export function showClipboard({ selection, text, length }: ClipboardText): string {
  if (length === 0) return `# the ${nameOf(selection)} is empty`;
  const cut = text.length < length ? `; TRUNCATED ${text.length} of ${length} characters` : "";
  return `# the ${nameOf(selection)}, ${length} characters${cut}\n${cleanLines(text)}`;
}

export function clipboardToJson({ selection, text, length }: ClipboardText, isPretty: boolean): string {
  const note = `${text.length} of ${length} characters`;
  const notes = text.length < length ? { partial: true, notes: [{ code: "TRUNCATED", text: note }] } : {};
  return stringify({ selection, length, text, ...notes }, isPretty);
}

export function clipboardToCsv({ selection, text, length }: ClipboardText): string {
  return joinRows("selection,length,text", [[selection, String(length), text]]);
}

function nameOf(selection: Selection): string {
  return selection === "clipboard" ? "clipboard" : "primary selection";
}
