import type { Action } from "../../model/action.ts";
import type { Bounds } from "../../model/bounds.ts";
import type { Role } from "../../model/role.ts";
import type { State } from "../../model/state.ts";
import type { Trait } from "../../model/trait.ts";
import type { Monitor, WindowState } from "../../model/window.ts";

/** A control as a test describes it. Everything but the role has a default. */
export interface ControlSketch {
  readonly role: Role;
  /** Its own name. Without one it is named by its content, as on real platforms. */
  readonly name?: string;
  readonly value?: string;
  readonly description?: string;
  readonly states?: readonly State[];
  readonly traits?: readonly Trait[];
  /** In physical screen pixels; by default its share of its container. */
  readonly bounds?: Bounds;
  readonly hidden?: boolean;
  /** It shows dots. Its value is what was typed, and is never returned. */
  readonly secret?: boolean;
  readonly id?: string;
  readonly autocomplete?: string;
  readonly actions?: readonly Action[];
  readonly shortcut?: string;
  readonly url?: string;
  readonly children?: readonly ControlSketch[];
  readonly onPress?: () => void;
  /** Whether it accepts text; every field does by default. */
  readonly accepts?: (text: string) => boolean;
}

export interface WindowSketch {
  readonly title: string;
  /** The kind of top-level window; an ordinary one by default. */
  readonly role?: "window" | "dialog";
  readonly bounds?: Bounds;
  readonly state?: readonly WindowState[];
  /** Where its picture shows something, in physical screen pixels; elsewhere it is plain. */
  readonly drawn?: readonly Bounds[];
  readonly children?: readonly ControlSketch[];
}

/** How an application reacts to a read: it answers, hangs, disappears, or has no tree. */
export type Manner = "answers" | "hangs" | "vanishes" | "treeless";

export interface ApplicationSketch {
  readonly name: string;
  readonly manner?: Manner;
  readonly windows: readonly WindowSketch[];
}

export interface DesktopSketch {
  readonly screen?: Bounds;
  readonly monitors?: readonly Monitor[];
  /** The first window of the first application is in front and focused. */
  readonly applications: readonly ApplicationSketch[];
}
