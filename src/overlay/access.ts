import type { OverlayController } from "./controller.ts";
import type { OverlayRights, OverlaySession } from "./session.ts";

/** One client's access to the overlay. */
export interface OverlayAccess {
  readonly stage: OverlayController;
  /** A session of this client that outlives the call. */
  openSource(): OverlaySession;
  readonly rights: OverlayRights;
  /** Aborts the call. */
  readonly signal: AbortSignal | undefined;
  /** Aborted when the client disconnects. */
  readonly gone: AbortSignal | undefined;
}
