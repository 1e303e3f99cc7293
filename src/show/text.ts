import { centreOf } from "../model/bounds.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { kindOfRole, shortRole } from "../model/role.ts";
import { shownStates } from "../model/state.ts";
import type { MarkedElement, View, WindowView } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import { cutValue, describeSource } from "./element.ts";

export interface TextOptions {
  readonly withPoints: boolean;
  readonly isFlat: boolean;
}

export const maxNameLength = 120;
const maxValueLength = 200;
export const noWindows = "no window is open";

/**
 * The form that agents read most: one line for each element, with mark, role, name, value and states. Words of applications are
 * quoted and stay on their line, so that no label can pass for a line of ours.
 */
export function showView(view: View, options: TextOptions): string {
  if (view.windows.length === 0) return noWindows;
  return view.windows.map((window) => showWindow(window, options)).join("\n");
}

function showWindow(view: WindowView, options: TextOptions): string {
  const notes = view.notes.map((note) => `! ${note.code} ${cleanLine(note.text)}`);
  return [`# ${nameWindow(view.window)}`, ...notes, ...showElements(view.elements, options, 0)].join("\n");
}

function showElements(elements: readonly MarkedElement[], options: TextOptions, depth: number): string[] {
  return elements.flatMap((element) => {
    const line = `${" ".repeat(options.isFlat ? 0 : depth)}${showElement(element, options)}`;
    return [line, ...showElements(element.children, options, isPlace(element) ? depth + 1 : depth)];
  });
}

/** Indenting costs tokens: only landmarks and containers indent their content. */
function isPlace(element: MarkedElement): boolean {
  const kind = kindOfRole(element.role);
  return (kind === "landmark" || kind === "container") && element.children.length > 0;
}

export function nameWindow({ app, title }: Pick<Window, "app" | "title">): string {
  return `${quoteName(app)} ${quoteText(title, maxNameLength)}`;
}

/** Mark, role and name; an element without a mark has the mark 0. */
export function nameControl({ mark, role, name }: Pick<MarkedElement, "mark" | "role" | "name">): string {
  const label = name === "" ? "" : ` ${quoteText(name, maxNameLength)}`;
  return `${mark === 0 ? "" : `${mark} `}${shortRole(role)}${label}`;
}

export function alignRows(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => align(row).trimEnd()).join("\n");
}

export function showElement(element: MarkedElement, options: TextOptions): string {
  const name = element.name === "" ? "" : ` ${quoteText(element.name, maxNameLength)}`;
  const shown = cutValue(element.role, element.value, maxValueLength);
  const value = shown === "" ? "" : `${name === "" ? " " : ""}=${quoteText(shown, maxValueLength)}`;
  const states = shownStates.filter((state) => element.states.has(state)).map((state) => ` ${state}`);
  const centre = element.states.has("hidden") ? undefined : element.bounds && centreOf(element.bounds);
  const point = element.clickPoint ?? centre;
  const where = options.withPoints && point !== undefined ? ` ${point.x},${point.y}` : "";
  const taught = element.taught === undefined ? "" : ` taught ${quoteText(element.taught, maxNameLength)}`;
  const from = describeSource(element);
  const source = from === undefined ? "" : ` ${from.source} ${from.confidence.toFixed(2)}`;
  return `${element.mark} ${shortRole(element.role)}${name}${taught}${value}${states.join("")}${where}${source}`;
}
