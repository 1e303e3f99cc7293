import type { Point } from "../model/bounds.ts";
import type { Described } from "../show/remembered.ts";
import type { ElementMemory, PastMoment } from "./element.ts";

/** Methods of the panel Map, by their names. */
export interface MapMethods {
  readonly "map.apps": { readonly params: Readonly<Record<never, never>>; readonly value: readonly KnownApp[] };
  /** What is remembered of an application, best known first. */
  readonly "map.targets": { readonly params: TargetParams; readonly value: KnownTargets };
  /** How far one control was relied on over time, and why it is as far as it is. */
  readonly "map.history": { readonly params: { readonly mark: number }; readonly value: TargetHistory };
  /** What a control, or whatever is at a point, is called from now on. */
  readonly "map.teach": { readonly params: TeachParams; readonly value: Taught };
  readonly "map.forget": { readonly params: ForgetParams; readonly value: { readonly forgotten: number } };
}

export type MapEvents = Readonly<Record<never, never>>;

export interface KnownApp {
  readonly app: string;
  /** Other names that it is called by. */
  readonly names: readonly string[];
  readonly count: number;
}

type TeachParams = { readonly name: string } & ({ readonly mark: number } | Point);

export interface Taught {
  readonly mark: number;
  /** Nothing is told of it: it is known by its place and look alone. */
  readonly isPlace: boolean;
}

interface TargetParams {
  readonly app: string;
  /** Only those whose label, role or window holds these words. */
  readonly words?: string | undefined;
}

export interface KnownTargets {
  readonly targets: readonly KnownTarget[];
  /** How many more there are than are told. */
  readonly leftOut: number;
}

export type KnownTarget = Omit<Described, "app">;

export interface TargetHistory {
  readonly confidence: number;
  readonly why: ElementMemory["why"];
  /** From when it was first seen until now, oldest first. */
  readonly moments: readonly PastMoment[];
}

type ForgetParams = { readonly mark: number } | { readonly app: string };
