import type { Element } from "./element.ts";
import type { Note } from "./snapshot.ts";
import type { Window } from "./window.ts";

/** An element with the number by which people and agents name it. */
export interface MarkedElement extends Omit<Element, "children"> {
  readonly mark: number;
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
