import type { ChangeLine } from "../model/change-line.ts";
import type { MethodShape } from "./method-shape.ts";

export interface TreeMethods {
  /** Sends `tree.lines` with what is there and what changes; a second call starts again. */
  readonly "tree.follow": MethodShape<{ readonly isWhole: boolean }, null>;
}

export interface TreeEvents {
  readonly "tree.lines": readonly ChangeLine[];
  /** Why there are no lines at the moment; the server retries. */
  readonly "tree.trouble": { readonly message: string };
}
