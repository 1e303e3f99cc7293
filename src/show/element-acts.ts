import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import { type Effect, exitCodeOfEffect, verdicts } from "../model/effect.ts";
import { joinRows } from "./csv.ts";
import { effectForms } from "./effect.ts";
import { type DataOf, type Forms, point, space } from "./output.ts";

/** What the learner's tools did to an element, in the shape of their own design. */
export interface ActedOn {
  /** As it was given. */
  readonly id: string;
  readonly label: string;
  readonly confidence: number;
  readonly effect: Effect;
}

const seen = () => ({ effect: z.enum(verdicts), evidence: z.array(z.string()) });

export const clickedOutput = () =>
  z.strictObject({
    success: z.boolean(),
    clicked: z.string(),
    space: z.optional(space()),
    position: z.optional(point()),
    confidence: z.number(),
    ...seen(),
  });

export const clickedForms: Forms<ActedOn, DataOf<typeof clickedOutput>> = {
  data({ effect, label, confidence }) {
    const position = effect.target.element?.clickPoint;
    return {
      success: isConfirmed(effect),
      clicked: label,
      ...(position === undefined ? {} : { space: screenSpace, position }),
      confidence,
      effect: effect.verdict,
      evidence: effect.evidence,
    };
  },
  ...commonForms(),
};

export interface TypedInto extends ActedOn {
  /** Undefined where it is secret. */
  readonly typed: string | undefined;
}

export const typedOutput = () =>
  z.strictObject({ success: z.boolean(), typed: z.optional(z.string()), in: z.string(), ...seen() });

export const typedForms: Forms<TypedInto, DataOf<typeof typedOutput>> = {
  data: ({ effect, label, typed }) => ({
    success: isConfirmed(effect),
    ...(typed === undefined ? {} : { typed }),
    in: label,
    effect: effect.verdict,
    evidence: effect.evidence,
  }),
  ...commonForms(),
};

function commonForms(): Omit<Forms<ActedOn, unknown>, "data"> {
  return {
    text: ({ effect }) => effectForms.text(effect),
    csv: ({ id, effect }) => joinRows("id,success,effect", [[id, String(isConfirmed(effect)), effect.verdict]]),
    exitCode: ({ effect }) => exitCodeOfEffect(effect),
  };
}

function isConfirmed({ verdict }: Effect): boolean {
  return verdict === "confirmed";
}

/** What a client has told of something that was done to an element. */
export interface RecordedResult {
  readonly id: string;
  readonly mark: number;
  readonly success: boolean;
  readonly confidence: number;
}

export const recordedOutput = () => z.strictObject({ id: z.string(), success: z.boolean(), confidence: z.number() });

export const recordedForms: Forms<RecordedResult, DataOf<typeof recordedOutput>> = {
  data: ({ id, success, confidence }) => ({ id, success, confidence }),
  text: ({ mark, success, confidence }) => `${mark} ${success ? "hit" : "miss"} ${confidence}`,
  csv: ({ id, success, confidence }) => joinRows("id,success,confidence", [[id, String(success), String(confidence)]]),
};
