import { centreOf } from "../model/bounds.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { kindOfRole, shortRole } from "../model/role.ts";
import { shownStates } from "../model/state.ts";
import type { MarkedElement, View, WindowView } from "../model/view.ts";
import type { Application, Window } from "../model/window.ts";
import { cutValue } from "./cut-value.ts";

export interface TextOptions {
  readonly withPoints: boolean;
  readonly isFlat: boolean;
}

export const maxNameLength = 120;
const maxValueLength = 200;
const noWindows = "no window is open";

/**
 * The form that agents read most: a line an element, with its mark, role, name, value and states. Words of applications
 * stand in quotes on their own line, so that no label can pass for a line of ours.
 */
export function showView(view: View, options: TextOptions): string {
  if (view.windows.length === 0) return noWindows;
  return view.windows.map((window) => showWindow(window, options)).join("\n");
}

function showWindow(view: WindowView, options: TextOptions): string {
  const header = `# ${quoteName(view.window.app)} ${quoteText(view.window.title, maxNameLength)}`;
  const notes = view.notes.map((note) => `! ${note.code} ${cleanLine(note.text)}`);
  return [header, ...notes, ...showElements(view.elements, options, 0)].join("\n");
}

function showElements(elements: readonly MarkedElement[], options: TextOptions, depth: number): string[] {
  return elements.flatMap((element) => {
    const line = `${" ".repeat(options.isFlat ? 0 : depth)}${showElement(element, options)}`;
    return [line, ...showElements(element.children, options, isPlace(element) ? depth + 1 : depth)];
  });
}

/** Indenting costs tokens: only a container that tells where its content is gets it. */
function isPlace(element: MarkedElement): boolean {
  const kind = kindOfRole(element.role);
  return (kind === "landmark" || kind === "container") && element.children.length > 0;
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
  return `${element.mark} ${shortRole(element.role)}${name}${taught}${value}${states.join("")}${where}`;
}

export function showWindows(windows: readonly Window[]): string {
  if (windows.length === 0) return noWindows;
  return windows.map(showWindowLine).join("\n");
}

function showWindowLine(window: Window): string {
  const { x, y, width, height } = window.bounds;
  const states = [window.isFocused ? "focused" : "", ...window.state].filter((state) => state !== "");
  const where = `${width}x${height} at ${x},${y} on ${window.monitor || "no monitor"}`;
  return [
    String(window.id),
    quoteName(window.app),
    quoteText(window.title, maxNameLength),
    `pid ${window.pid}`,
    where,
    ...states,
  ].join("  ");
}

export function showApplications(applications: readonly Application[]): string {
  if (applications.length === 0) return noWindows;
  return applications
    .map(({ app, pid, windowCount, isFocused, hasTree }) => {
      const windows = `${windowCount} ${windowCount === 1 ? "window" : "windows"}`;
      const extras = [isFocused ? "focused" : "", hasTree ? "" : "no accessibility tree"].filter(
        (extra) => extra !== "",
      );
      return [quoteName(app), `pid ${pid}`, windows, ...extras].join("  ");
    })
    .join("\n");
}
