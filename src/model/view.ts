import type { Element, SingleElement } from "./element.ts";
import type { Caret, Note, TextRead } from "./snapshot.ts";
import type { Window } from "./window.ts";

export interface MarkedElement extends SingleElement {
  readonly mark: number;
  readonly taught?: string | undefined;
  readonly children: readonly MarkedElement[];
}

/** What is shown of one window: the selected elements with their marks. */
export interface WindowView {
  readonly window: Window;
  readonly elements: readonly MarkedElement[];
  readonly notes: readonly Note[];
}

export interface View {
  readonly takenAtMs: number;
  readonly windows: readonly WindowView[];
}

/** An element found in a fresh view, with its ancestors, window first. */
export interface Located {
  readonly window: Window;
  readonly element: MarkedElement;
  readonly ancestors: readonly MarkedElement[];
  readonly notes: readonly Note[];
}

/** An element that matches words, with score (1 is the exact name) and reason. */
export interface Finding extends Located {
  readonly score: number;
  readonly reason: string;
}

/** Matches, best first. */
export interface Findings {
  readonly found: readonly Finding[];
  /** How many more match than were requested. */
  readonly leftOut: number;
  /** Windows that could be searched only in part. */
  readonly gaps: readonly { readonly window: Window; readonly notes: readonly Note[] }[];
}

export interface TextView extends TextRead {
  readonly element: MarkedElement;
  /** Only if it was asked for. */
  readonly caret?: Caret | undefined;
}

export type TaughtNames = ReadonlyMap<number, string>;

const nothingTaught: TaughtNames = new Map();

/** Elements without a mark get 0. */
export function attachMarks(
  element: Element,
  numbers: ReadonlyMap<string, number>,
  names: TaughtNames = nothingTaught,
): MarkedElement {
  const children = element.children.map((child) => attachMarks(child, numbers, names));
  const mark = numbers.get(element.handle) ?? 0;
  const taught = names.get(mark);
  return taught === undefined ? { ...element, mark, children } : { ...element, mark, taught, children };
}
