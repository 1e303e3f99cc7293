import type { Point } from "../model/bounds.ts";
import type { Described } from "../show/remembered.ts";
import type { ElementMemory, PastMoment } from "./element.ts";

export interface MapMethods {
  readonly "map.apps": (params: Readonly<Record<never, never>>) => readonly KnownApp[];
  /** What is remembered of an application, best known first. */
  readonly "map.targets": (params: TargetParams) => KnownTargets;
  /** One control's confidence over time, and the reasons for it. */
  readonly "map.history": (params: { readonly mark: number }) => TargetHistory;
  /** Gives a name to a control, or to what is at a point. */
  readonly "map.teach": (params: TeachParams) => Taught;
  readonly "map.forget": (params: ForgetParams) => { readonly forgotten: number };
}

export interface KnownApp {
  readonly app: string;
  /** Other names that it is called by. */
  readonly names: readonly string[];
  readonly count: number;
}

type TeachParams = { readonly name: string } & ({ readonly mark: number } | Point);

export interface Taught {
  readonly mark: number;
  /** Whether its application does not report it: it is known by its place and appearance only. */
  readonly isPlace: boolean;
}

interface TargetParams {
  readonly app: string;
  /** Only those whose label, role or window holds these words. */
  readonly words?: string | undefined;
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

type ForgetParams = { readonly mark: number } | { readonly app: string };
