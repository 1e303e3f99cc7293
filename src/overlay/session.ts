import type { LiveDesktop } from "../look.ts";
import type { Result } from "../model/failure.ts";
import type { OverlayRights } from "./rights.ts";

/** Read access for the overlay, filtered by the guard; implemented by a session. */
export interface OverlaySession {
  openLive(): Promise<Result<LiveDesktop>>;
  /** Logs a read. What cannot be logged is not drawn. */
  recordLasting(tool: string, apps: readonly string[], words: string): Result<void>;
  readonly overlay: { readonly rights: OverlayRights } | undefined;
  readonly clientName: string;
  readonly timeoutMs: number;
  close(): void;
}
