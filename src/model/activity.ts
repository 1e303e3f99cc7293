import type { Bounds } from "./bounds.ts";
import type { Effect } from "./effect.ts";
import type { Result } from "./failure.ts";

/** An action that is about to start: it passed all rules and was approved where needed. */
export interface Begun {
  readonly kind: "begun";
  /** Its number in the audit log, which links all events of the action. */
  readonly n: number;
  readonly atMs: number;
  readonly client: string;
  readonly tool: string;
  /** As in an approval request; a typed text is given by its length only. */
  readonly words: string;
  readonly app: string;
  readonly window: string;
  readonly mark?: number | undefined;
  readonly role?: string | undefined;
  readonly name?: string | undefined;
}

export interface Ended {
  readonly kind: "ended";
  readonly n: number;
  readonly atMs: number;
  readonly tookMs: number;
  /** See Effect; undefined if it failed. */
  readonly verdict?: Effect["verdict"] | undefined;
  readonly way?: string | undefined;
  readonly evidence: readonly string[];
  /** Changes on the screen: + appeared, - gone, ~ changed. */
  readonly changes: readonly string[];
  readonly failure?:
    | { readonly code: string; readonly reason?: string | undefined; readonly message: string }
    | undefined;
}

/** Where the action takes place, and in which window if known: another window may cover it. */
export interface Spot extends Bounds {
  readonly windowId?: number | undefined;
}

export type CropTime = "before" | "after";

/** A small picture around a target, redacted. */
export interface Crop {
  readonly kind: "crop";
  readonly n: number;
  readonly when: CropTime;
  /** JPEG, base64. */
  readonly jpeg: string;
  readonly width: number;
  readonly height: number;
}

/** How many events a slow observer missed. */
export interface Lost {
  readonly kind: "lost";
  readonly count: number;
}

export type Activity = Begun | Ended | Crop | Lost;

/** Attaches the picture taken before to the action with this number. */
export type ShowBefore = (n: number) => void;

/** Observes actions. It decides nothing. */
export interface ActionObserver {
  /**
   * Takes a picture before the action, while it is still being checked; the action waits briefly. Returns a function
   * that attaches it; undefined, without delay, if nobody observes.
   */
  captureBefore(where: Spot | undefined): Promise<ShowBefore | undefined>;
  /** Called right before the first command; not awaited. `where` is the target. */
  begin(begun: Begun, where: Spot | undefined, show: ShowBefore | undefined): void;
  /** Called after the last command; not awaited. */
  end(n: number, outcome: Result<Effect>): void;
}
