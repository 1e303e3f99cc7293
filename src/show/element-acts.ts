import * as z from "zod/mini";
import { type Point, screenSpace } from "../model/bounds.ts";
import { type Effect, exitCodeOfEffect, verdicts } from "../model/effect.ts";
import { quoteText } from "../model/plain-text.ts";
import { type LearnerRole, learnerRoles } from "../model/role.ts";
import { joinRows } from "./csv.ts";
import { effectForms } from "./effect.ts";
import { type DataOf, type Forms, point, space, titled } from "./output.ts";

/** An action of the learner's tools on an element, in the shape of their own design. */
export interface ActedOn {
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
  data: ({ effect, label, typed }) => {
    return { success: isConfirmed(effect), typed, in: label, effect: effect.verdict, evidence: effect.evidence };
  },
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

export interface TaughtControl {
  readonly mark: number;
  readonly name: string;
  readonly role: LearnerRole;
  /** Empty if it has none or it is unknown. */
  readonly ownName: string;
  /** Whether only its place is known, since its application does not report it. */
  readonly isPlace: boolean;
  /** Where a person pointed; undefined if it was named by its mark. */
  readonly point?: Point | undefined;
}

export const taughtOutput = () =>
  z.strictObject({
    success: z.literal(true),
    message: z.string(),
    targetId: z.string(),
    role: titled("LearnerRole", z.enum(learnerRoles)),
    place: z.boolean(),
  });

export const taughtForms: Forms<TaughtControl, DataOf<typeof taughtOutput>> = {
  data({ mark, name, role, isPlace, point }) {
    const where = point === undefined ? ` as ${mark}` : ` at (${point.x}, ${point.y})`;
    const message = `Learned "${name}"${where}. I'll remember this for future sessions.`;
    return { success: true, message, targetId: String(mark), role, place: isPlace };
  },
  text({ mark, name, role, ownName, isPlace }) {
    const own = ownName === "" ? "" : ` ${quoteText(ownName)}`;
    const bound = isPlace ? "a place in its window, since nothing is told of it" : `${role}${own}`;
    return `${mark} is called ${quoteText(name)} now: ${bound}`;
  },
  csv: ({ mark, name, role, isPlace }) => joinRows("id,name,role,place", [[String(mark), name, role, String(isPlace)]]),
};
