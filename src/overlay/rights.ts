import type { Failure, Result } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
import type { Window } from "../model/window.ts";

/** What one client may do on the screen, as the guard says at each moment. */
export interface OverlayRights {
  /** Why nothing may be drawn now; undefined where something may. */
  findVeto(): Failure | undefined;
  isStopped(): boolean;
  /** Says of each window whether a person answers there. */
  findPages(): (window: Pick<Window, "title">) => boolean;
  /** Why nothing may be drawn at a control for this client. */
  forbidAnchor(window: Window, role: Role): Promise<Failure | undefined>;
  /** Takes the person's pointer and keyboard; nothing of Deskmap acts until it is ended. */
  beginPick(wish: {
    readonly way: "pick" | "region";
    readonly untilMs: number;
    readonly isPersons: boolean;
  }): Promise<Result<{ end(effect: string): void }>>;
}
