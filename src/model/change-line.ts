import type { Role } from "./role.ts";
import type { Note } from "./snapshot.ts";
import type { State } from "./state.ts";

/**
 * One line of what a watch tells. Lines come in batches, one for each moment at which the screen was looked at; a `token`
 * line ends every batch, and whoever gives that token later is told what is different since. Applied in their order to what
 * was known before, the lines of a batch give what is there now.
 */
export type ChangeLine =
  | { readonly kind: "start"; readonly reason: StartReason }
  | WindowChange
  | ({ readonly kind: "appeared" } & ControlPlace & ChangedControl)
  /** It is in another container, or at another place among its sisters. */
  | ({ readonly kind: "moved" } & ControlPlace & ChangedControl)
  /** With everything that is still in it. */
  | ({ readonly kind: "gone" } & ChangedControl)
  /** It is still there, and everything that was in it is gone. */
  | ({ readonly kind: "emptied" } & ChangedControl)
  /** Only what is different is given: what it is now, and in `was` what it was. */
  | ({ readonly kind: "changed"; readonly was: Readonly<Partial<Record<ControlAspect, string>>> } & ChangedControl)
  /** It has the keyboard focus of its window now. */
  | ({ readonly kind: "focus" } & ChangedControl)
  /** Why what is told of a window is less than the truth; ANSWERS: it is the truth again. */
  | { readonly kind: "note"; readonly window: number; readonly code: Note["code"] | "ANSWERS"; readonly text: string }
  | TokenLine;

export interface TokenLine {
  readonly kind: "token";
  readonly token: string;
  readonly atMs: number;
  /** What windows are called that were there before anything was told of them, for whoever shows changes below their names. */
  readonly names?: readonly WindowName[] | undefined;
}

export interface WindowName {
  readonly window: number;
  readonly app: string;
  readonly title: string;
}

/** Why everything that is there follows: nothing was known before, or what was cannot be compared any more. */
export type StartReason = "first" | "expired" | "restarted" | "other-selection";

export type ControlAspect = "role" | "name" | "taught" | "value" | "states" | "place";
export type WindowAspect = "title" | "place" | "states" | "focus";

export interface WindowChange {
  readonly kind: "window";
  /** What is in a window that opened follows as what appeared; what was in a closed one is gone without a word. */
  readonly what: "opened" | "closed" | "changed" | "focused";
  readonly window: number;
  readonly app: string;
  readonly title: string;
  /** As "640x480 at 10,20", where it is different. */
  readonly place?: string | undefined;
  /** Where they are different. */
  readonly states?: readonly string[] | undefined;
  readonly was?: Readonly<Partial<Record<WindowAspect, string>>> | undefined;
}

/** Where a control is among the others of its window. */
interface ControlPlace {
  /** The mark of what it is in; undefined directly in the window. */
  readonly in?: number | undefined;
  /** The mark of the sister before it, 0 where it is the first; undefined where it is the last. */
  readonly after?: number | undefined;
}

export interface ChangedControl {
  readonly id: number;
  readonly role: Role;
  readonly name: string;
  readonly window: number;
  /** What a person taught to call it. */
  readonly taught?: string | undefined;
  readonly value?: string | undefined;
  readonly states?: readonly State[] | undefined;
  /** Only where places were asked for; from the top left of the screen. */
  readonly bounds?: readonly [number, number, number, number] | undefined;
}
