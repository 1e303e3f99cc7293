import { flatten } from "../model/element.ts";
import { cleanLines, shorten } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { shownStates } from "../model/state.ts";
import type { MarkedElement, View } from "../model/view.ts";
import { cutValue, shownValueOf } from "./element.ts";
import type { Forms } from "./output.ts";

export const elementColumns = "i,r,t,v,x,y,w,h,states,actions";
const maxTextLength = 500;

/** RFC 4180: a header, and a row for each element. Notes are rows with the role "note". */
export function viewToCsv(view: View): string {
  const rows = view.windows.flatMap(({ window, elements, notes }) => [
    ...notes.map((note) => [String(window.id), "", "note", `${note.code} ${note.text}`, "", "", "", "", "", "", ""]),
    ...flatten(elements).map((element) => [String(window.id), ...cellsOf(element)]),
  ]);
  return joinRows(`window,${elementColumns}`, rows);
}

export function joinRows(head: string, rows: readonly (readonly string[])[]): string {
  return [head, ...rows.map((row) => row.map((cell) => escapeCell(cleanLines(cell))).join(","))].join("\n");
}

/** The forms of an answer that is a few plain fields. */
export function flatForms<Data extends Readonly<Record<string, string | number | boolean>>>(
  text: (data: Data) => string,
): Forms<Data, Data> {
  const csv = (data: Data): string => joinRows(Object.keys(data).join(","), [Object.values(data).map(String)]);
  return { data: (data) => data, text, csv };
}

export function cellsOf(element: MarkedElement): string[] {
  const { bounds } = element;
  const place = bounds === undefined ? ["", "", "", ""] : [bounds.x, bounds.y, bounds.width, bounds.height].map(String);
  return [
    String(element.mark),
    shortRole(element.role),
    shorten(element.name, maxTextLength),
    cutValue(element.role, shownValueOf(element), maxTextLength),
    ...place,
    shownStates.filter((state) => element.states.has(state)).join(" "),
    element.actions.join(" "),
  ];
}

/** Prefixes a cell that a spreadsheet would run as a formula: the text comes from applications. */
function escapeCell(cell: string): string {
  const safe = /^\s*[=+@\uff1d\uff0b\uff20\uff0d\t-]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
