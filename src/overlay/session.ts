import type { LiveDesktop } from "../find/read.ts";
import type { Failure, Result } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
import type { Window } from "../model/window.ts";

/** What one client may do with the overlay, decided by the guard on each call. */
export interface OverlayRights {
  /** Why nothing may be drawn now; undefined if drawing is allowed. */
  findVeto(): Failure | undefined;
  isStopped(): boolean;
  /** Returns a predicate for windows in which a person answers Deskmap's questions. */
  findPages(): (window: Pick<Window, "title">) => boolean;
  /** Why this client may not draw at a control. */
  forbidAnchor(window: Window, role: Role): Promise<Failure | undefined>;
  /** Grabs the person's pointer and keyboard; Deskmap sends no input until it ends. */
  beginPick(request: {
    readonly way: "pick" | "region";
    readonly untilMs: number;
    readonly isPersons: boolean;
  }): Promise<Result<{ end(effect: string): void }>>;
}

/** Read access for the overlay, filtered by the guard; implemented by a session. */
export interface OverlaySession {
  openLive(): Promise<Result<LiveDesktop>>;
  /** Logs a read. What cannot be logged is not drawn. */
  recordLasting(tool: string, apps: readonly string[], words: string): Result<unknown>;
  readonly overlay: { readonly rights: OverlayRights } | undefined;
  readonly clientName: string;
  readonly timeoutMs: number;
  close(): void;
}
