import type { Point } from "./bounds.ts";
import type { Button, Direction } from "./deed.ts";
import type { Combo } from "./keys.ts";
import type { Role } from "./role.ts";

/** How one control is named. */
export type Aim =
  | { readonly by: "mark"; readonly mark: number }
  | { readonly by: "words"; readonly words: string; readonly roles?: ReadonlySet<Role> | undefined }
  | { readonly by: "point"; readonly point: Point };

/** What somebody wants done to one control, as plain data; how it is done is for act/ to find. */
export type Order =
  | {
      readonly kind: "click";
      readonly button: Button;
      readonly count: 1 | 2 | 3;
      /** Within the control, from its upper left corner. */
      readonly offset?: Point | undefined;
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
  /** With a secret, by its name. */
  | { readonly kind: "fill-secret"; readonly secret: string }
  | { readonly kind: "type"; readonly text: string; readonly delayMs: number }
  | { readonly kind: "keys"; readonly combo: Combo }
  | { readonly kind: "scroll"; readonly direction: Direction; readonly amount: number }
  | { readonly kind: "scroll-percent"; readonly percent: number; readonly isHorizontal: boolean }
  | { readonly kind: "drag"; readonly to: Aim; readonly button: Button };
