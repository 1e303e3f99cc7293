import type { DemoTarget } from "./demo-ref.ts";
import type { Verdict } from "./effect.ts";
import type { Picture } from "./frame.ts";
import type { ToolName } from "./tool-name.ts";

export type { DemoEvidence, DemoRef } from "./demo-ref.ts";

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

/** How a control stood at one moment. */
export interface TargetState {
  /** As it is read: in one line, without outer space. Undefined if it is too long to be read as a whole, or secret. */
  readonly value?: string | undefined;
  /** Those of its states that are an effect. */
  readonly states: readonly LastingState[];
}

interface RecordedTarget {
  readonly before: TargetState;
  readonly after?: TargetState | undefined;
  readonly isMultiline: boolean;
  readonly isCheckable: boolean;
}

/** States that stay when pointer and focus are elsewhere. */
export const lastingStates = ["checked", "mixed", "selected", "expanded", "collapsed", "pressed"] as const;
export type LastingState = (typeof lastingStates)[number];
/** A picture of what was there before a step: a file, and the part of the screen that it shows, one pixel for each. */
export interface StepPicture {
  readonly file: string;
  readonly bbox: readonly [left: number, top: number, right: number, bottom: number];
}

/** What a step's window looked like, not yet encoded. Nothing in it may not be seen. */
export interface Shot {
  readonly picture: Picture;
  /** The controls in it, as a list of marks needs them. */
  readonly elements: readonly PicturedElement[];
}

/** A picture that is on its way to a recording. */
export interface TakenPicture extends Pick<Shot, "elements"> {
  readonly bbox: StepPicture["bbox"];
  /** A PNG file, base64. */
  readonly png: string;
}

export interface PicturedElement extends NamedPart {
  readonly bbox: StepPicture["bbox"];
}

/** One action as it happened, from which a step of a demo is made. */
export interface RecordedAction extends DemoTarget {
  /** Counts the actions of one process. */
  readonly n: number;
  readonly atMs: number;
  readonly tookMs: number;
  readonly by: "agent" | "person";
  readonly client: string;
  /** Never an alias: `click_element` is recorded as `click`. */
  readonly tool: ToolName;
  /** The tool's input without the fields that point at a control or choose a window, and without secret text. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The label of a secret field: what was typed there was not recorded. */
  readonly secret?: string | undefined;
  /** What the client named: a control, a point, a window or program, or nothing: then it went to the focused control. */
  readonly aim: "control" | "point" | "focus" | "window";
  /** The field of the tool that takes the mark of `ref`; that of `toRef` is always `toId`. */
  readonly markField?: "id" | "fromId" | "toId" | undefined;
  /** The window it went to; its application as refs name it. */
  readonly app?: string | undefined;
  readonly window?: string | undefined;
  readonly effect?: DemoEffect | undefined;
  /** How its control stood before it and after it; `after` is absent if that was not seen. Nothing is told of a secret field. */
  readonly target?: RecordedTarget | undefined;
  /** What a person typed into a field, of which `input` has the whole value. */
  readonly typed?: string | undefined;
  /** In the folder of the recording. */
  readonly picture?: StepPicture | undefined;
  /** Something was done that may not be recorded, as in a blind application: why nothing else is known. */
  readonly gap?: string | undefined;
  /** Why its ref may be wrong, such as a tree that was not up to date. */
  readonly doubt?: string | undefined;
}
