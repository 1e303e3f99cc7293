import type { Role } from "./role.ts";
import type { Note } from "./snapshot.ts";
import type { State } from "./state.ts";

/**
 * One line of a watch. Lines come in batches, one per read; a `token` line ends each batch, and passing that token
 * later returns the changes since. Applied in order to what was known before, the lines of a batch yield the present
 * state.
 */
export type ChangeLine =
  | { readonly kind: "start"; readonly reason: StartReason }
  | WindowChange
  | ({ readonly kind: "appeared" } & ControlPlace & ChangedControl)
  /** Moved to another container or another index among its siblings. */
  | ({ readonly kind: "moved" } & ControlPlace & ChangedControl)
  /** Together with everything inside it. */
  | ({ readonly kind: "gone" } & ChangedControl)
  /** It still exists, but everything inside it is gone. */
  | ({ readonly kind: "emptied" } & ChangedControl)
  /** Only differences: the new values, and the old ones in `was`. */
  | ({ readonly kind: "changed"; readonly was: Readonly<Partial<Record<ControlAspect, string>>> } & ChangedControl)
  /** It has its window's keyboard focus now. */
  | ({ readonly kind: "focus" } & ChangedControl)
  /** Why a window is reported incompletely; ANSWERS: it is complete again. */
  | { readonly kind: "note"; readonly window: number; readonly code: Note["code"] | "ANSWERS"; readonly text: string }
  | TokenLine;

export interface TokenLine {
  readonly kind: "token";
  readonly token: string;
  readonly atMs: number;
  /** The windows that existed before the first report, for clients that group changes by window. */
  readonly names?: readonly WindowName[] | undefined;
}

export interface WindowName {
  readonly window: number;
  readonly app: string;
  readonly title: string;
}

/** Why everything follows: nothing was known, or it is no longer comparable. */
export type StartReason = "first" | "expired" | "restarted" | "other-selection";

export type ControlAspect = "role" | "name" | "taught" | "value" | "states" | "place";
export type WindowAspect = "title" | "place" | "states" | "focus";

export interface WindowChange extends WindowName {
  readonly kind: "window";
  /** The content of an opened window follows as `appeared`; that of a closed one is gone without further lines. */
  readonly what: "opened" | "closed" | "changed" | "focused";
  /** As "640x480 at 10,20", if it changed. */
  readonly place?: string | undefined;
  /** If they changed. */
  readonly states?: readonly string[] | undefined;
  readonly was?: Readonly<Partial<Record<WindowAspect, string>>> | undefined;
}

/** The position of a control in its window. */
interface ControlPlace {
  /** The mark of its parent; undefined directly in the window. */
  readonly in?: number | undefined;
  /** The mark of the previous sibling, 0 if it is the first; undefined if it is the last. */
  readonly after?: number | undefined;
}

export interface ChangedControl {
  readonly id: number;
  readonly role: Role;
  readonly name: string;
  readonly window: number;
  readonly taught?: string | undefined;
  readonly value?: string | undefined;
  readonly states?: readonly State[] | undefined;
  /** Only if positions were requested; relative to the screen. */
  readonly bounds?: readonly [number, number, number, number] | undefined;
}
