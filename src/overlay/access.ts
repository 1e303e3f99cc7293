import type { OverlayRights } from "./rights.ts";
import type { OverlaySource } from "./source.ts";
import type { Stage } from "./stage.ts";

/** One client's way to what is drawn over the screen. */
export interface OverlayAccess {
  readonly stage: Stage;
  /** A look of this client's own, which outlasts the call. */
  openSource(): OverlaySource;
  readonly rights: OverlayRights;
  /** Ends the call. */
  readonly signal: AbortSignal | undefined;
  /** Aborted when the client has gone. */
  readonly gone: AbortSignal | undefined;
}
