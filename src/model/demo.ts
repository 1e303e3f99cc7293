import type { Verdict } from "./effect.ts";
import type { Source } from "./source.ts";
import type { ToolName } from "./tool-name.ts";

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

/** What an action was seen to do, in portable terms: no marks, no handles. */
export interface DemoEffect {
  readonly verdict: Verdict;
  readonly way: string;
  readonly opened?: readonly string[] | undefined;
  readonly closed?: readonly string[] | undefined;
  readonly appeared?: readonly NamedPart[] | undefined;
  readonly gone?: readonly NamedPart[] | undefined;
  readonly changed?: readonly (NamedPart & { readonly what: string; readonly after: string })[] | undefined;
}

export interface NamedPart {
  readonly role: string;
  readonly name: string;
}

/** One action as it happened, from which a step of a demo is made. */
export interface RecordedAction {
  readonly n: number;
  readonly atMs: number;
  readonly tookMs: number;
  readonly by: "agent" | "person";
  readonly client: string;
  readonly tool: ToolName;
  /** The tool's input without the fields that point at a control or choose a window, and without secret text. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The label of a secret field: what was typed there was not recorded. */
  readonly secret?: string | undefined;
  /** Absent if nothing but a place on the screen is known. */
  readonly ref?: DemoRef | undefined;
  readonly evidence?: readonly DemoEvidence[] | undefined;
  /** For a drag: where it ended. */
  readonly toRef?: DemoRef | undefined;
  /** Where it was pressed, in physical pixels of the screen. */
  readonly point?: { readonly x: number; readonly y: number } | undefined;
  readonly toPoint?: { readonly x: number; readonly y: number } | undefined;
  /** The window it went to. */
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly effect?: DemoEffect | undefined;
  /** Why its ref may be wrong, such as a tree that was not up to date. */
  readonly doubt?: string | undefined;
}
