import type { Point } from "./bounds.ts";
import type { Clue, Resolved } from "./resolved.ts";
import type { Note } from "./snapshot.ts";
import type { Source } from "./source.ts";

/**
 * A portable reference to one element, as demo files have it. Field names are those of the file format, so they are
 * written with underscores. It needs a role or a name; every other field is a hint that may be absent. It never holds a
 * value, and nothing of a secret field but its label.
 */
export interface DemoRef {
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  /** The application as the map knows it, and its window's title. */
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  /** In physical pixels of the screen. */
  readonly bbox?: readonly [left: number, top: number, right: number, bottom: number] | undefined;
  /** Where its window was then: a window that has moved takes its elements along. */
  readonly window_bbox?: readonly [left: number, top: number, right: number, bottom: number] | undefined;
  /** The containers, outermost first. */
  readonly container_path?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly focused?: boolean | undefined;
  /** The id that its application gave it; the name of the field depends on the platform. */
  readonly automation_id?: string | undefined;
  readonly accessibility_id?: string | undefined;
  readonly css_selector?: string | undefined;
  readonly xpath?: string | undefined;
  readonly tag?: string | undefined;
  /** 0 to 1, if only a picture showed it. */
  readonly confidence?: number | undefined;
  readonly source?: Source | undefined;
  /** Adjacent texts, nearest first. */
  readonly neighbours?: readonly string[] | undefined;
  /** The names before and after it in its container. */
  readonly sisters?: readonly [before: string, after: string] | undefined;
  /** Which one among siblings that look alike, from 0, and how many they were. */
  readonly index?: number | undefined;
  readonly count?: number | undefined;
  /** How many other elements of its window had the same role and name. */
  readonly twins?: number | undefined;
}

/** One way to find an element, and how many elements it found when the step was recorded. 1 is unique. */
export interface DemoEvidence {
  readonly by: "id" | "role+name" | "name" | "role+name+container" | "role+neighbour" | "ref";
  readonly matches: number;
}

/** What an action went to, in portable terms. */
export interface DemoTarget {
  readonly ref?: DemoRef | undefined;
  readonly evidence?: readonly DemoEvidence[] | undefined;
  /** For a drag: where it ended. */
  readonly toRef?: DemoRef | undefined;
  /** Where it was pressed, or would have been, in physical pixels of the screen. */
  readonly point?: Point | undefined;
  readonly toPoint?: Point | undefined;
}

/** What the tool `locate` answers about a ref: which element it means now, or that none is certain. */
export interface LocatedRef extends Resolved {
  /** The mark; only for a match. */
  readonly id?: number | undefined;
  /** Of the match. */
  readonly role?: string | undefined;
  readonly name?: string | undefined;
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly source?: Source | undefined;
  /** The likeliest elements, best first, with what each lacks in comparison with the best. */
  readonly nearest: readonly NearElement[];
  /** Why a read was incomplete: the element may be in what is missing. */
  readonly notes?: readonly Note[] | undefined;
}

interface NearElement {
  readonly role: string;
  readonly name: string;
  readonly window: string;
  readonly score: number;
  readonly lacks: readonly Clue[];
}
