import type { LiveDesktop } from "../look.ts";
import type { Result } from "../model/failure.ts";
import type { OverlayRights } from "./rights.ts";

/** Where it is looked for what is drawn, under the guard's veil, and what must be told of it. A session is one. */
export interface OverlaySource {
  openLive(): Promise<Result<LiveDesktop>>;
  /** Writes down that it is looked. What cannot be written down is not drawn. */
  recordLasting(tool: string, apps: readonly string[], words: string): Result<void>;
  readonly overlay: { readonly rights: OverlayRights } | undefined;
  readonly clientName: string;
  readonly timeoutMs: number;
  close(): void;
}
