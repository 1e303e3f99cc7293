import { containsPoint, type Point } from "../model/bounds.ts";
import { type Command, isElementCommand, type SecretCommand } from "../model/command.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Popup, Window } from "../model/window.ts";
import type { Hands, Recheck, SecretField } from "../platform/hands.ts";
import type { Platform } from "../platform/port.ts";
import type { Request } from "./gate.ts";
import { findPopupStanding, type Policy } from "./policy/policy.ts";
import { findSecretPlace } from "./secret-place.ts";

/** Pointer and keyboard reach whatever is there, whatever was planned: the window system is asked. */
export async function findReceivers(
  platform: Platform,
  command: Command,
  request: Request,
  policy: Pick<Policy, "standings">,
): Promise<Result<readonly Popup[]>> {
  const isMeant: IsMeant = (one, all) =>
    findPopupStanding(policy, one) !== "normal" || isUnreportedMenu(one, request) || isForeignGrab(one, all, request);
  if (isElementCommand(command)) return succeed(listOne(request.window));
  switch (command.kind) {
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

type IsMeant = (popup: Popup, all: readonly Popup[]) => boolean;

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
    const over = popups.value.filter(({ bounds }) => containsPoint(bounds, point));
    const topmost = window.value === undefined ? over.slice(0, 1) : [];
    windows.push(...listOne(window.value), ...topmost, ...over.filter((one) => isMeant(one, popups.value)));
  }
  return succeed(windows);
}

/** An open menu, a launcher or a lock screen grabs every key, whichever window has the focus. */
async function findKeyboard(platform: Platform, isMeant: IsMeant): Promise<Result<readonly Popup[]>> {
  const [list, popups] = [await platform.listWindows(), await platform.listPopups()];
  if (!list.ok) return list;
  if (!popups.ok) return popups;
  const focused = list.value.windows.filter(({ isFocused }) => isFocused);
  return succeed([...focused, ...popups.value.filter((one) => isMeant(one, popups.value))]);
}

/** An open menu grabs all input, also over another application's window. One that is not reported cannot be read. */
function isUnreportedMenu({ isMenu, pid }: Popup, { window, tellsMenu }: Request): boolean {
  return isMenu === true && !(pid === window?.pid && tellsMenu?.() === true);
}

/** Keys go to a surface of another program, such as a launcher. An open menu of the window's own program has the grab itself. */
function isForeignGrab({ hasGrab, pid }: Popup, all: readonly Popup[], { window }: Request): boolean {
  const isOwn = (one: number): boolean => one !== 0 && one === window?.pid;
  return hasGrab === true && !isOwn(pid) && !all.some((one) => one.isMenu === true && isOwn(one.pid));
}

function listOne(window: Window | undefined): readonly Window[] {
  return window === undefined ? [] : [window];
}

const glimpseMs = 2000;

export async function deliver(
  hands: Hands,
  platform: Pick<Platform, "glimpse">,
  command: Command,
  request: Request,
  recheck: Recheck,
): Promise<Result<unknown>> {
  const { window } = request;
  if (isElementCommand(command)) return hands.doToElement(command);
  switch (command.kind) {
    case "fill-secret":
      return hands.fillSecret(command, reachField(hands, platform, command, request, recheck));
    case "point":
    case "click":
    case "drag":
    case "wheel":
      return hands.input(command, undefined, recheck);
    case "type":
    case "keys":
      return hands.input(command, window, recheck);
    case "window":
      return hands.arrange(command);
    case "open":
    case "quit":
    case "terminate":
      return hands.doToProgram(command);
    case "write-clipboard":
      return hands.writeClipboard(command);
  }
}

function reachField(
  hands: Hands,
  platform: Pick<Platform, "glimpse">,
  { element }: SecretCommand,
  request: Request,
  recheck: Recheck,
): SecretField {
  return {
    window: request.window,
    recheck,
    place: findSecretPlace(request),
    glimpse: () => platform.glimpse(element, glimpseMs),
    setText: (text) => hands.doToElement({ kind: "set-text", element, text }),
  };
}
