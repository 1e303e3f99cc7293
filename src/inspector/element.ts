import type { ElementDescriptionData } from "../show/element-description.ts";
import type { TrialTool } from "./trials.ts";

export interface ElementMethods {
  /** Everything about a mark but the evidence, which takes longer. */
  readonly "element.detail": (params: MarkParams) => ElementDetail;
  /** How it would be found again among everything that is there. */
  readonly "element.evidence": (params: MarkParams) => Evidence;
  readonly "element.picture": (params: MarkParams & { readonly scale: number }) => ElementPicture;
  /** Does something to it, through the guard. */
  readonly "element.try": (params: TryParams) => Tried;
}

interface MarkParams {
  readonly mark: number;
}

interface TryParams extends MarkParams {
  readonly tool: TrialTool;
  readonly text?: string | undefined;
  readonly direction?: "up" | "down" | undefined;
  readonly name?: string | undefined;
}

/** The answer of the tool `element`. */
export type ElementDetail = ElementDescriptionData;
export type ElementNow = NonNullable<ElementDescriptionData["now"]>;
export type ElementMemory = ElementDescriptionData["memory"];
/** Its confidence at some time, and what had been done to it until then. */
export type PastMoment = ElementMemory["history"][number];
export type Evidence = NonNullable<ElementDescriptionData["again"]>;

export interface ElementPicture {
  /** The number of the picture, which was sent before. */
  readonly picture: number;
  readonly width: number;
  readonly height: number;
}

/** The effect, as every client gets it. */
export interface Tried {
  readonly effect: string;
  readonly did: string;
  readonly way: string;
  readonly evidence: readonly string[];
  /** The whole answer, in lines. */
  readonly lines: string;
  readonly exitCode: number;
}
