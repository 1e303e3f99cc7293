import type { ElementDescriptionData } from "../show/element-description.ts";
import type { TrialTool } from "./trials.ts";

/** Methods of the panel Element, by their names. */
export interface ElementMethods {
  /** Everything about a mark that is known at once. */
  readonly "element.detail": { readonly params: MarkParams; readonly value: ElementDetail };
  /** How it would be found again: it is weighed against everything that is there. */
  readonly "element.evidence": { readonly params: MarkParams; readonly value: Evidence };
  readonly "element.picture": {
    readonly params: MarkParams & { readonly scale: number };
    readonly value: ElementPicture;
  };
  /** Does something to it, through the guard like every client. */
  readonly "element.try": { readonly params: TryParams; readonly value: Tried };
}

export type ElementEvents = Readonly<Record<never, never>>;

interface MarkParams {
  readonly mark: number;
}

interface TryParams extends MarkParams {
  readonly tool: TrialTool;
  /** What is set or typed, which way is scrolled, which of its own actions is performed. */
  readonly text?: string | undefined;
  readonly direction?: "up" | "down" | undefined;
  readonly name?: string | undefined;
}

/** The answer of the tool `element`. */
export type ElementDetail = ElementDescriptionData;
export type ElementNow = NonNullable<ElementDescriptionData["now"]>;
export type ElementMemory = ElementDescriptionData["memory"];
/** How far it was relied on at some time, and what had been done to it until then. */
export type PastMoment = ElementMemory["history"][number];
export type Evidence = NonNullable<ElementDescriptionData["again"]>;

export interface ElementPicture {
  /** The number of the file that came before. */
  readonly picture: number;
  readonly width: number;
  readonly height: number;
}

/** What came of it, as every client is told. */
export interface Tried {
  readonly effect: string;
  readonly did: string;
  readonly way: string;
  readonly evidence: readonly string[];
  /** The whole answer, in lines. */
  readonly lines: string;
  readonly exitCode: number;
}
