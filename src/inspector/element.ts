import * as z from "zod/mini";
import type { ElementDescriptionData } from "../show/element-description.ts";
import { trialTools } from "./trials.ts";

const mark = z.int().check(z.minimum(1));
export const markParams = z.object({ mark });
export const pictureParams = z.object({ mark, scale: z.number().check(z.minimum(0.1), z.maximum(1)) });
export const tryParams = z.object({
  mark,
  tool: z.enum(trialTools),
  text: z.optional(z.string().check(z.maxLength(10_000))),
  direction: z.optional(z.enum(["up", "down"])),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

type MarkParams = z.infer<typeof markParams>;

export interface ElementMethods {
  /** Everything about a mark but the evidence, which takes longer. */
  readonly "element.detail": (params: MarkParams) => ElementDetail;
  /** How it would be found again among everything that is there. */
  readonly "element.evidence": (params: MarkParams) => Evidence;
  readonly "element.picture": (params: z.infer<typeof pictureParams>) => ElementPicture;
  /** Does something to it, through the guard. */
  readonly "element.try": (params: z.infer<typeof tryParams>) => Tried;
}

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

export interface Tried {
  readonly effect: string;
  readonly did: string;
  readonly way: string;
  readonly evidence: readonly string[];
  /** The whole answer, in lines. */
  readonly lines: string;
  readonly exitCode: number;
}
