import type { Point } from "../model/bounds.ts";
import type { Command } from "../model/command.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Popup, Window } from "../model/window.ts";
import type { Platform } from "../platform/port.ts";
import type { Request } from "./gate.ts";
import type { Policy } from "./policy/policy.ts";
import { coversPoint, findPopupStanding } from "./policy/popups.ts";

type Lists = Pick<Policy, "standings">;

/**
 * The windows that a command reaches. What goes through the pointer or the keyboard reaches whatever is there, so that is
 * asked of the window system, not of whoever planned it.
 */
export async function findReceivers(
  platform: Platform,
  command: Command,
  request: Request,
  policy: Lists,
): Promise<Result<readonly Popup[]>> {
  const isMeant = (one: Popup): boolean => isForbidden(policy, one) || isUntoldMenu(one, request);
  switch (command.kind) {
    case "invoke":
    case "set-text":
    case "set-number":
    case "select":
    case "focus":
    case "reveal":
      return succeed(listOne(request.window));
    case "fill-secret":
      return command.by === "text" ? succeed(listOne(request.window)) : findKeyboard(platform, isMeant);
    case "point":
    case "click":
    case "wheel":
      return findAt(platform, [command.point], isMeant);
    case "drag":
      return findAt(platform, [command.from, command.to], isMeant);
    case "type":
    case "keys":
      return findKeyboard(platform, isMeant);
    case "window":
    case "terminate":
      return succeed([command.window]);
    case "quit":
      return succeed(command.windows);
    case "open":
    case "write-clipboard":
      return succeed([]);
  }
}

type IsMeant = (popup: Popup) => boolean;

async function findAt(
  platform: Platform,
  points: readonly Point[],
  isMeant: IsMeant,
): Promise<Result<readonly Popup[]>> {
  const popups = await platform.listPopups();
  if (!popups.ok) return popups;
  const windows: Popup[] = [];
  for (const point of points) {
    const window = await platform.findWindowAt(point);
    if (!window.ok) return window;
    const over = popups.value.filter(coversPoint(point));
    const bare = window.value === undefined ? over.slice(0, 1) : [];
    windows.push(...listOne(window.value), ...bare, ...over.filter(isMeant));
  }
  return succeed(windows);
}

/**
 * The window that has the keyboard; and what may have taken it: a lock screen or an open menu is in no list and takes
 * every key, whatever window is said to have the focus.
 */
async function findKeyboard(platform: Platform, isMeant: IsMeant): Promise<Result<readonly Popup[]>> {
  const [list, popups] = [await platform.listWindows(), await platform.listPopups()];
  if (!list.ok) return list;
  if (!popups.ok) return popups;
  const focused = list.value.windows.filter(({ isFocused }) => isFocused);
  return succeed([...focused, ...popups.value.filter(isMeant)]);
}

/** An open menu takes everything, also from another application's window; where none is told of, nobody knows what it says. */
function isUntoldMenu({ isMenu, pid }: Popup, { window, tellsMenu }: Request): boolean {
  return isMenu === true && !(pid === window?.pid && tellsMenu?.() === true);
}

function isForbidden(policy: Lists, window: Window): boolean {
  return findPopupStanding(policy, window) !== "normal";
}

function listOne(window: Window | undefined): readonly Window[] {
  return window === undefined ? [] : [window];
}
