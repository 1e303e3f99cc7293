import * as z from "zod/mini";
import type { Described } from "../show/remembered.ts";
import type { ElementMemory, PastMoment } from "./element.ts";

const mark = z.int().check(z.minimum(1));
const name = z.string().check(z.minLength(1), z.maxLength(100));
/** With words: only those whose label, role or window holds them. */
export const targetParams = z.object({ app: z.string(), words: z.optional(z.string()) });
export const teachParams = z.union([z.object({ mark, name }), z.object({ x: z.int(), y: z.int(), name })]);
export const forgetParams = z.union([z.object({ mark }), z.object({ app: z.string() })]);

export interface MapMethods {
  readonly "map.apps": (params: Readonly<Record<never, never>>) => readonly KnownApp[];
  /** What is remembered of an application, best known first. */
  readonly "map.targets": (params: z.infer<typeof targetParams>) => KnownTargets;
  /** One control's confidence over time, and the reasons for it. */
  readonly "map.history": (params: { readonly mark: number }) => TargetHistory;
  /** Gives a name to a control, or to what is at a point. */
  readonly "map.teach": (params: z.infer<typeof teachParams>) => Taught;
  readonly "map.forget": (params: z.infer<typeof forgetParams>) => { readonly forgotten: number };
}

export interface KnownApp {
  readonly app: string;
  /** Other names that it is called by. */
  readonly names: readonly string[];
  readonly count: number;
}

export interface Taught {
  readonly mark: number;
  /** Whether its application does not report it: it is known by its place and appearance only. */
  readonly isPlace: boolean;
}

export interface KnownTargets {
  readonly targets: readonly KnownTarget[];
  readonly leftOut: number;
}

export type KnownTarget = Omit<Described, "app">;

export interface TargetHistory {
  readonly confidence: number;
  readonly why: ElementMemory["why"];
  /** From when it was first seen until now, oldest first. */
  readonly moments: readonly PastMoment[];
}
