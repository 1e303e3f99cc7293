import type { Bounds, windowSpace } from "./bounds.ts";
import type { Role } from "./role.ts";

/**
 * The portable description of one control, used for marks, taught targets, demo steps and stored rows. It contains only
 * searchable properties, never a value or a password.
 */
export interface Ref {
  readonly app: string;
  /** Names that distinguish the window, best first: its title, and its role alone while it is the only one. */
  readonly windows: readonly string[];
  readonly role: Role;
  readonly name: string;
  /** Automation id, accessible id or DOM id; of a page its URL; empty if there is none. */
  readonly platformId: string;
  /** The containers, from the window inwards. */
  readonly path: readonly Step[];
  /** The index among siblings that look alike, from 0, and their count. */
  readonly index: number;
  readonly count: number;
  /** The nearest adjacent text: it distinguishes several "Delete" buttons. */
  readonly owner: string;
  /** The names of the nearest named siblings before and after it, which still identify it after it is renamed. */
  readonly sisters: readonly [before: string, after: string];
  /** How many other elements of its window have the same role and name. */
  readonly twins: number;
  /** Whether it may be confused with another: it has twins, or is inside a list entry. */
  readonly hasTwin: boolean;
  /** Identifies this object while its life lasts, as Element.handle and Element.life. */
  readonly handle: string;
  readonly life: string;
  /** Whether its object stands for a place among its siblings, and shows another thing when those change places. */
  readonly isPlace?: boolean;
  /** Relative to its window. */
  readonly bounds: Bounds | undefined;
  readonly space: typeof windowSpace;
}

/** A ref without the object, which exists only while its application runs. */
export type StoredRef = Omit<Ref, "handle" | "life" | "isPlace">;

/** One container on the path to a control. */
export interface Step {
  readonly role: Role;
  readonly name: string;
  readonly index: number;
  readonly count: number;
}
