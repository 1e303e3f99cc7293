import type { Element } from "./element.ts";
import type { Note, TextRead } from "./snapshot.ts";
import type { Window } from "./window.ts";

/** An element with the number by which people and agents name it. */
export interface MarkedElement extends Omit<Element, "children"> {
  readonly mark: number;
  /** What a person taught to call it. */
  readonly taught?: string | undefined;
  readonly children: readonly MarkedElement[];
}

/** What is shown of one window: the chosen elements, recognised and marked. */
export interface WindowView {
  readonly window: Window;
  readonly elements: readonly MarkedElement[];
  readonly notes: readonly Note[];
}

export interface View {
  readonly takenAtMs: number;
  readonly windows: readonly WindowView[];
}

/** One element found in a fresh view, and what it is inside of, the window first. */
export interface Located {
  readonly window: Window;
  readonly element: MarkedElement;
  readonly ancestors: readonly MarkedElement[];
  readonly notes: readonly Note[];
}

/** An element that fits words: how well (1 is its very name), and why. */
export interface Finding extends Located {
  readonly score: number;
  readonly reason: string;
}

/** What words led to, best first. */
export interface Findings {
  readonly found: readonly Finding[];
  /** How many more fit than were asked for. */
  readonly leftOut: number;
  /** Windows that could be searched only in part. */
  readonly gaps: readonly { readonly window: Window; readonly notes: readonly Note[] }[];
}

/** One element's text. */
export interface TextView extends TextRead {
  readonly element: MarkedElement;
}

/** What controls were taught to be called, by their marks. */
export type TaughtNames = ReadonlyMap<number, string>;

const nothingTaught: TaughtNames = new Map();

/** What has no number is marked 0. */
export function attachMarks(
  element: Element,
  numbers: ReadonlyMap<string, number>,
  names: TaughtNames = nothingTaught,
): MarkedElement {
  const children = element.children.map((child) => attachMarks(child, numbers, names));
  const mark = numbers.get(element.runtimeId) ?? 0;
  const taught = names.get(mark);
  return taught === undefined ? { ...element, mark, children } : { ...element, mark, taught, children };
}
