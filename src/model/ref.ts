import type { Bounds, windowSpace } from "./bounds.ts";
import type { Role } from "./role.ts";

/**
 * The portable description of one control: the same object in a mark, a taught target, a demo step and a memory row.
 * It holds only what can be looked for again; a value or a password is never part of it.
 */
export interface Ref {
  readonly app: string;
  /** What tells the window from others, best first: its title; and nothing but its role, while no other is open. */
  readonly windows: readonly string[];
  readonly role: Role;
  readonly name: string;
  /** Automation id, accessible id or DOM id; empty where there is none. */
  readonly platformId: string;
  /** From the window inwards: the containers that tell where the control is. */
  readonly path: readonly Step[];
  /** Which one among sisters that look alike, counted from 0, and how many they are. */
  readonly index: number;
  readonly count: number;
  /** The nearest text beside or around it: among several "Delete" buttons it tells whose it is. */
  readonly owner: string;
  /** What its nearest named sisters before and after it are called: it stays between them when it is renamed. */
  readonly sisters: readonly [before: string, after: string];
  /** How many other elements of its window have the same role and name. */
  readonly twins: number;
  /** Whether it may be taken for another one: it has twins, or stands in an entry of a list. */
  readonly hasTwin: boolean;
  /** Names this very object while its application lives. */
  readonly runtimeId: string;
  /** Within its window, which may be moved. */
  readonly bounds: Bounds | undefined;
  readonly space: typeof windowSpace;
}

/** One container on the way to a control. */
export interface Step {
  readonly role: Role;
  readonly name: string;
  readonly index: number;
  readonly count: number;
}
