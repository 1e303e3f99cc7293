import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { cleanLine } from "../../model/plain-text.ts";
import { type Desk, flatten, isAbsence, type SeenElement, type SeenWindow } from "../desk.ts";
import { isPlain, screenLine, treeLine } from "./lines.ts";

/** What a model is told of the window that is asked about. */
export interface Context {
  readonly window: Pick<SeenWindow, "app" | "title" | "id">;
  readonly screen: string;
  readonly tree: string;
  readonly focused: string;
  readonly actions: string;
  /** Changes when anything of it does. */
  readonly hash: string;
}

/** Characters for each text: together, with the instructions, about 5,000 tokens at most. */
const maxScreen = 3200;
const maxTree = 7000;
const maxActions = 24;

export async function buildContext(desk: Desk, { id, app, title }: SeenWindow): Promise<Result<Context>> {
  const read = await desk.ask<{ readonly elements?: readonly SeenElement[] }>("read", { windowId: id, aria: true });
  if (!read.ok) return isAbsence(read.failure) ? fail(describeHidden()) : read;
  const elements = read.value.elements ?? [];
  const context = {
    window: { id, app: cleanLine(app), title: cleanLine(title) },
    screen: showScreen(elements),
    tree: showTree(elements),
    focused: showFocused(elements),
    actions: showActions(elements),
  };
  return succeed({ ...context, hash: hashText(JSON.stringify(context)) });
}

function describeHidden() {
  const message = "this window is not shown to a model: its application is local only, or blind, or it has closed";
  return makeFailure("REFUSED", message, "ask something that needs no model.", { reason: "local-only" });
}

interface Line {
  readonly text: string;
  readonly element: SeenElement;
}

function listLines(
  elements: readonly SeenElement[],
  show: (one: SeenElement) => readonly string[],
  indent = "",
): readonly Line[] {
  return elements.flatMap((element) => [
    ...show(element).map((text) => ({ text: `${indent}${text}`, element })),
    ...listLines(element.c ?? [], show, `${indent}  `),
  ]);
}

export function showScreen(elements: readonly SeenElement[], limit = maxScreen): string {
  // If not all fits, controls are left to the tree, which has them with their marks.
  return fit(listLines(elements, screenLine), limit, (one) => isPlain(one) || one.c !== undefined);
}

/** With marks, by which a model acts; without them it is the form that a page's author would write. */
export function showTree(elements: readonly SeenElement[], limit = maxTree, withMarks = true): string {
  const lines = listLines(elements, (one) => [`${treeLine(one)}${withMarks && !isPlain(one) ? ` #${one.i}` : ""}`]);
  // If not all fits, texts are left to the screen content.
  return fit(lines, limit, (one) => !isPlain(one));
}

function fit(lines: readonly Line[], limit: number, isKept: (one: SeenElement) => boolean): string {
  const size = (kept: readonly Line[]): number => kept.reduce((sum, { text }) => sum + text.length + 1, 0);
  const chosen = size(lines) <= limit ? lines : lines.filter(({ element }) => isKept(element));
  let [end, used] = [0, 0];
  for (const { text } of chosen) {
    if (used + text.length + 1 > limit) break;
    used += text.length + 1;
    end += 1;
  }
  const left = lines.length - end;
  const shown = chosen.slice(0, end).map(({ text }) => text);
  return [...shown, ...(left > 0 ? [`… ${left} more lines: find_element or read_window tells them`] : [])].join("\n");
}

function showFocused(elements: readonly SeenElement[]): string {
  const focused = flatten(elements).findLast(({ f }) => f === true);
  return focused === undefined ? "nothing" : `${treeLine({ ...focused, c: [] })} #${focused.i}`;
}

function showActions(elements: readonly SeenElement[]): string {
  const keys = flatten(elements).filter(({ k, e }) => k !== undefined && e !== false);
  const named = keys.slice(0, maxActions).map((one) => `${one.k}: ${cleanLine(one.n ?? one.t ?? "")}`);
  return ["Tab, Shift+Tab: next, previous control", "Escape: close or cancel", ...named].join("\n");
}

/** djb2: a key of a small cache needs no better hash. */
function hashText(text: string): string {
  let hash = 5381;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 33 + text.charCodeAt(at)) >>> 0;
  return hash.toString(36);
}
