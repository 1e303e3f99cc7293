import type { Point } from "./bounds.ts";
import type { Button, Direction } from "./command.ts";
import type { Combo } from "./keys.ts";
import type { Role } from "./role.ts";

/** How a control is specified. */
export type Aim =
  | { readonly by: "mark"; readonly mark: number }
  | {
      readonly by: "words";
      readonly words: string;
      readonly roles?: ReadonlySet<Role> | undefined;
      /** Plain texts do not count unless they are asked for as texts. */
      readonly isControl?: boolean | undefined;
      /** Whether something is to be written there: of several that fit equally well, a field is meant. */
      readonly isField?: boolean | undefined;
    }
  | { readonly by: "point"; readonly point: Point };

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
