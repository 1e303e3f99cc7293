import type { Point } from "../model/bounds.ts";
import type { Deed } from "../model/deed.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { Platform } from "../platform/port.ts";
import type { Request } from "./gate.ts";

/**
 * The windows that a deed reaches. What goes through the pointer or the keyboard reaches whatever is there, so that is
 * asked of the window system, not of whoever planned it.
 */
export async function findReceivers(
  platform: Platform,
  deed: Deed,
  request: Request,
): Promise<Result<readonly Window[]>> {
  switch (deed.kind) {
    case "invoke":
    case "set-text":
    case "set-number":
    case "select":
    case "focus":
    case "reveal":
      return succeed(listOne(request.window));
    case "fill-secret":
      return deed.by === "text" ? succeed(listOne(request.window)) : findFocused(platform);
    case "point":
    case "click":
    case "wheel":
      return findAt(platform, [deed.point]);
    case "drag":
      return findAt(platform, [deed.from, deed.to]);
    case "type":
    case "keys":
      return findFocused(platform);
    case "window":
    case "terminate":
      return succeed([deed.window]);
    case "quit":
      return succeed(deed.windows);
    case "open":
    case "write-clipboard":
    case "hold-clipboard":
      return succeed([]);
  }
}

async function findFocused(platform: Platform): Promise<Result<readonly Window[]>> {
  const list = await platform.listWindows();
  return list.ok ? succeed(list.value.windows.filter(({ isFocused }) => isFocused)) : list;
}

async function findAt(platform: Platform, points: readonly Point[]): Promise<Result<readonly Window[]>> {
  const windows: Window[] = [];
  for (const point of points) {
    const window = await platform.findWindowAt(point);
    if (!window.ok) return window;
    windows.push(...listOne(window.value));
  }
  return succeed(windows);
}

function listOne(window: Window | undefined): readonly Window[] {
  return window === undefined ? [] : [window];
}
