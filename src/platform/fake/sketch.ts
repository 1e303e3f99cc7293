import type { Action } from "../../model/action.ts";
import type { Bounds } from "../../model/bounds.ts";
import type { Role } from "../../model/role.ts";
import type { State } from "../../model/state.ts";
import type { Trait } from "../../model/trait.ts";
import type { Monitor, WindowState } from "../../model/window.ts";

/** A control as a test describes it. Everything but the role has an ordinary value. */
export interface ControlSketch {
  readonly role: Role;
  /** Its own name. A control without one is called by what it holds, as on the real platforms. */
  readonly name?: string;
  readonly value?: string;
  readonly description?: string;
  readonly states?: readonly State[];
  readonly traits?: readonly Trait[];
  /** On the screen, in physical pixels; by default its share of the place its container has. */
  readonly bounds?: Bounds;
  readonly hidden?: boolean;
  /** It shows dots. Its value is what was typed into it, and is never given out. */
  readonly secret?: boolean;
  readonly id?: string;
  /** What a page says that it is to be filled with. */
  readonly autocomplete?: string;
  readonly actions?: readonly Action[];
  readonly shortcut?: string;
  readonly url?: string;
  readonly children?: readonly ControlSketch[];
  /** What it does when it is pressed. */
  readonly onPress?: () => void;
  /** Whether it takes a text; every field does by default. */
  readonly accepts?: (text: string) => boolean;
}

export interface WindowSketch {
  readonly title: string;
  /** What kind of top level it is; an ordinary window by default. */
  readonly role?: "window" | "dialog";
  readonly bounds?: Bounds;
  readonly state?: readonly WindowState[];
  readonly children?: readonly ControlSketch[];
}

/** How an application takes being read: it answers, never does, is gone when it is asked, or has nothing to show. */
export type Manner = "answers" | "hangs" | "vanishes" | "treeless";

export interface ApplicationSketch {
  readonly name: string;
  readonly manner?: Manner;
  readonly windows: readonly WindowSketch[];
}

export interface DesktopSketch {
  readonly screen?: Bounds;
  readonly monitors?: readonly Monitor[];
  /** The first window of the first application is in front and has the focus. */
  readonly applications: readonly ApplicationSketch[];
}
