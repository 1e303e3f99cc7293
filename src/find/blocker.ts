import type { Window } from "../model/window.ts";

/**
 * The modal dialog that must be answered first: one that was opened for the window, directly or through other dialogs; of
 * several for the same window, the one in front; or one of the application that was opened for no window.
 */
export function findBlocker(
  windows: readonly Window[],
  own: Window,
  isModal: (window: Window) => boolean = ({ state }) => state.includes("modal"),
): Window | undefined {
  const byId = new Map(windows.map((window) => [window.id, window]));
  const now = byId.get(own.id) ?? own;
  /** The window itself, the one it was opened for, and so on. */
  const listOwners = (window: Window): readonly Window[] => {
    const chain = [window];
    for (
      let at = byId.get(window.ownerId ?? 0);
      at !== undefined && !chain.includes(at);
      at = byId.get(at.ownerId ?? 0)
    )
      chain.push(at);
    return chain;
  };
  const owners = listOwners(now);
  const blocks = (dialog: Window): boolean => {
    if (dialog.pid !== now.pid || dialog.pid === 0 || !isModal(dialog) || dialog.state.includes("minimised"))
      return false;
    // What was opened by the dialog, or is the dialog, is not blocked by it.
    if (owners.some(({ id }) => id === dialog.id)) return false;
    const chain = listOwners(dialog);
    if (chain.includes(now)) return true;
    const isInFront = dialog.zOrder < now.zOrder;
    return chain.length === 1 ? isInFront || !isModal(now) : isInFront && chain.some((one) => owners.includes(one));
  };
  return windows.find(blocks);
}
