import type { Element } from "./element.ts";
import type { Window } from "./window.ts";

/** Why a read is less than the whole truth. A partial result always says so. */
export interface Note {
  readonly code: "TIMEOUT" | "GONE" | "NO_TREE" | "TRUNCATED" | "FAILED";
  readonly text: string;
}

/** One window, read at one moment. `root` is undefined when nothing of it could be read; the notes say why. */
export interface WindowRead {
  readonly window: Window;
  /** Names the application across restarts, such as its program; marks belong to it. */
  readonly appKey: string;
  readonly root: Element | undefined;
  readonly notes: readonly Note[];
}

export interface Snapshot {
  readonly takenAtMs: number;
  readonly windows: readonly WindowRead[];
}

/** A part of an element's text, harmless to show, with its line breaks. */
export interface TextRead {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** How many characters there are in all. */
  readonly length: number;
  readonly notes: readonly Note[];
}
