import type { ChangeLine } from "../model/change-line.ts";
import type { MethodShape } from "./method-shape.ts";

export interface TreeMethods {
  /** Tells by `tree.lines` what is there and what changes, from now on; a second call begins anew. */
  readonly "tree.follow": MethodShape<{ readonly isWhole: boolean }, null>;
}

export interface TreeEvents {
  readonly "tree.lines": readonly ChangeLine[];
  /** Why nothing is told at the moment; it is tried again by itself. */
  readonly "tree.trouble": { readonly message: string };
}
