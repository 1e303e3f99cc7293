import type { Point } from "./bounds.ts";
import type { Button, Direction } from "./command.ts";
import type { Combo } from "./keys.ts";
import type { Role } from "./role.ts";

/** How a control is specified. */
export type Aim =
  | { readonly by: "mark"; readonly mark: number }
  | {
      readonly by: "words";
      /** Empty: the only one of its roles. */
      readonly words: string;
      readonly roles?: ReadonlySet<Role> | undefined;
      /** Only inside the control with this mark. */
      readonly within?: number | undefined;
      /** Which of those that fit equally well, in the order of a read: 1 is the first, −1 the last. */
      readonly nth?: number | undefined;
      /** What is to be done with it: of several that fit, one is meant that takes the order. */
      readonly order?: Order["kind"] | undefined;
    }
  | { readonly by: "point"; readonly point: Point }
  /** The largest part of a window that may scroll. */
  | { readonly by: "main" };

/** What to do with one control, as plain data; act/ decides how. */
export type Order =
  | {
      readonly kind: "click";
      readonly button: Button;
      readonly count: 1 | 2 | 3;
      /** Relative to the control's upper left corner. */
      readonly offset?: Point | undefined;
      /** Even if the control offers an action. */
      readonly isByPointer?: boolean | undefined;
    }
  | {
      readonly kind:
        | "toggle"
        | "check"
        | "uncheck"
        | "expand"
        | "collapse"
        | "select"
        | "focus"
        | "hover"
        | "scroll-to";
    }
  /** One of the platform's own actions. */
  | { readonly kind: "action"; readonly name: string }
  | { readonly kind: "set-value"; readonly text: string }
  | { readonly kind: "fill-secret"; readonly secret: string }
  | {
      readonly kind: "type";
      readonly text: string;
      readonly delayMs: number;
      /** In place of what the control holds; else after it. */
      readonly isReplacing?: boolean | undefined;
    }
  | {
      readonly kind: "keys";
      readonly combo: Combo;
      /** How often it is pressed; once by default. */
      readonly times?: number | undefined;
    }
  | { readonly kind: "scroll"; readonly direction: Direction; readonly amount: number }
  | { readonly kind: "scroll-percent"; readonly percent: number; readonly isHorizontal: boolean }
  | { readonly kind: "drag"; readonly to: Aim; readonly button: Button };
