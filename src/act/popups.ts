import { type Bounds, containsBounds, containsPoint } from "../model/bounds.ts";
import type { SingleElement } from "../model/element.ts";
import type { Attempt } from "./attempt.ts";

/** Where menus and lists lie that have a window of their own over their application's, front to back. */
export async function listPopups({ desktop, window }: Attempt): Promise<readonly Bounds[]> {
  const popups = await desktop.platform.listPopups();
  return popups.ok ? popups.value.filter(({ pid }) => pid === window.pid).map(({ bounds }) => bounds) : [];
}

export async function isInPopup(attempt: Attempt): Promise<boolean> {
  return isShownIn(await listPopups(attempt), attempt.element);
}

/** Whether one of them shows an element, and none in front of it covers it. */
export function isShownIn(popups: readonly Bounds[], { bounds, clickPoint }: SingleElement): boolean {
  if (bounds === undefined || clickPoint === undefined) return false;
  const front = popups.find((popup) => containsPoint(popup, clickPoint));
  return front !== undefined && containsBounds(front, bounds);
}
