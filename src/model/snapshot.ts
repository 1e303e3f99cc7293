import type { Bounds } from "./bounds.ts";
import { type Element, flatten } from "./element.ts";
import type { VisionMode } from "./source.ts";
import type { Window } from "./window.ts";

/** UNTOLD: the window was read completely, but it shows something that the application tells nothing about. */
export const noteCodes = ["TIMEOUT", "GONE", "NO_TREE", "TRUNCATED", "FAILED", "UNTOLD"] as const;

/** Why a read is incomplete. */
export interface Note {
  readonly code: (typeof noteCodes)[number];
  readonly text: string;
  /** The parts of the screen it is about, in physical pixels. TRUNCATED with areas: something shown there was not read. */
  readonly areas?: readonly Bounds[];
}

/** One window, read at one time. `root` is undefined if nothing could be read; the notes say why. */
export interface WindowRead {
  readonly window: Window;
  /** Identifies the application across restarts, for example by its program; marks belong to it. */
  readonly appKey: string;
  readonly root: Element | undefined;
  readonly notes: readonly Note[];
}

/** All elements of some windows in reading order, each window's own element first. */
export function listElements(reads: readonly Pick<WindowRead, "root">[]): Element[] {
  return flatten(reads.flatMap(({ root }) => root ?? []));
}

/** Windows and their elements, read at one moment. */
export interface Snapshot {
  readonly takenAtMs: number;
  readonly windows: readonly WindowRead[];
  /** All open windows, read or not. */
  readonly all: readonly Window[];
  readonly includeHidden: boolean;
  /** Only snapshots of the same mode can be compared. */
  readonly vision?: VisionMode | undefined;
}

/** Where the caret of a text is; counted in characters. */
export interface Caret {
  readonly at: number;
  /** The first selected character and the one after the last; equal if nothing is selected. */
  readonly start: number;
  readonly end: number;
}

/** Part of an element's text, sanitised, with line breaks. */
export interface TextRead {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly length: number;
  readonly notes: readonly Note[];
}
