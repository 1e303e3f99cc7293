import * as z from "zod/mini";
import type { Failure } from "../model/failure.ts";

const name = z.string().check(z.minLength(1), z.maxLength(80));
const number = z.int().check(z.minimum(1), z.maximum(2000));
const version = z.string().check(z.maxLength(64));
const words = z.string().check(z.maxLength(100_000));
const parameter = z.string().check(z.minLength(1), z.maxLength(40));

export const nameParams = z.object({ name });
export const stepParams = z.object({ name, step: number });
/** What a person changes. `version` is that of the demo which the page shows: another one is not written over. */
export const editParams = z.object({
  name,
  version,
  change: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("delete"), step: number }),
    z.object({ kind: z.literal("move"), step: number, to: number }),
    z.object({ kind: z.literal("note"), step: number, note: z.string().check(z.maxLength(500)) }),
    z.object({ kind: z.literal("rename"), parameter, to: parameter }),
    z.object({ kind: z.literal("type"), parameter, to: parameter }),
    z.object({ kind: z.literal("repick"), step: number, mark: z.int().check(z.minimum(1)) }),
  ]),
});
export const replayParams = z.object({
  name,
  from: number,
  to: z.optional(number),
  values: z.record(parameter, words),
  isDry: z.optional(z.boolean()),
  isHealing: z.optional(z.boolean()),
  allowsDoubtful: z.optional(z.boolean()),
});
/** `proposed` is the version of the proposals that the page shows: a person takes no others. */
export const healParams = z.object({
  name,
  version,
  proposed: version,
  verdict: z.enum(["accept", "discard"]),
  step: z.optional(number),
  pin: z.optional(z.string().check(z.maxLength(200))),
});
export const recordParams = z.object({ name, isReplacing: z.boolean() });
export const stopParams = z.object({ isDiscarded: z.boolean() });

export type DemoChange = z.infer<typeof editParams>["change"];

type Nothing = Readonly<Record<never, never>>;

export interface DemosMethods {
  readonly "demos.list": (params: Nothing) => readonly ListedDemo[];
  readonly "demos.show": (params: z.infer<typeof nameParams>) => ShownDemo;
  /** What the step's window looked like, around its control. */
  readonly "demos.picture": (params: z.infer<typeof stepParams>) => { readonly picture: number };
  readonly "demos.edit": (params: z.infer<typeof editParams>) => ShownDemo;
  /** Does the steps again, through the guard. Progress comes as events; cancelling the request ends it. */
  readonly "demos.replay": (params: z.infer<typeof replayParams>) => Replayed;
  readonly "demos.heal": (params: z.infer<typeof healParams>) => ShownDemo;
  /** Answered when the person is listened to. */
  readonly "demos.record": (params: z.infer<typeof recordParams>) => { readonly name: string };
  readonly "demos.stop": (params: z.infer<typeof stopParams>) => { readonly saved: string | undefined };
  readonly "demos.pause": (params: { readonly isPaused: boolean }) => Nothing;
  /** Sends what is being recorded, now and after each change. */
  readonly "demos.follow": (params: Nothing) => Nothing;
}

export interface DemosEvents {
  readonly "demos.recording": LiveRecording;
  readonly "demos.progress": ReplayedStep & { readonly demo: string };
}

export interface ListedDemo {
  readonly name: string;
  readonly steps: number;
  readonly recorded: string;
  readonly parameters: number;
  readonly doubts: number;
  readonly proposals: number;
  /** Why its file cannot be read. */
  readonly fault?: string | undefined;
}

export interface ShownDemo {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly recorded: string;
  readonly by: string;
  readonly parameters: readonly ShownParameter[];
  readonly steps: readonly ShownStep[];
  readonly proposals: readonly ShownProposal[];
  /** Their version. */
  readonly proposed: string;
}

export interface ShownParameter {
  readonly name: string;
  readonly type: string;
  /** Of a secret one: the name of the secret. */
  readonly value: string;
  readonly label: string;
  /** The step that it is read from. */
  readonly from?: number | undefined;
}

export interface ShownStep {
  readonly n: number;
  readonly afterMs?: number | undefined;
  readonly tool: string;
  /** The step in words. */
  readonly words: string;
  readonly window: string;
  readonly effect: readonly string[];
  readonly doubts: readonly string[];
  readonly note: string;
  readonly hasPicture: boolean;
  /** Whether it acts on a control, and so can be given another one. */
  readonly isAimed: boolean;
}

interface ShownProposal {
  readonly step: number;
  readonly control: string;
  readonly why: string;
  readonly fields: readonly { readonly field: string; readonly was: string; readonly now: string }[];
}

export interface ReplayedStep {
  readonly n: number;
  readonly words: string;
  readonly state: string;
  readonly verdict?: string | undefined;
  readonly notes: readonly string[];
  readonly tookMs: number;
}

export interface Replayed {
  readonly steps: readonly ReplayedStep[];
  readonly stop?: { readonly n: number; readonly failure: Failure } | undefined;
  readonly tookMs: number;
  readonly proposals: number;
}

export interface LiveRecording {
  readonly state: "off" | "recording" | "paused" | "broken";
  readonly name: string;
  readonly kind: string;
  /** Whether this inspector records it, or whoever does can be ended from here. */
  readonly isHere: boolean;
  readonly steps: readonly { readonly words: string; readonly doubts: readonly string[] }[];
  /** Why a recording that was begun here has ended by itself. */
  readonly trouble?: string | undefined;
}
