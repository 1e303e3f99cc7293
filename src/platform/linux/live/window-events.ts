import type { XWindow } from "../x11/windows.ts";
import type { WindowEvent } from "./application.ts";
import type { LiveList } from "./display.ts";
import { isSame } from "./share.ts";

/** What happened to the windows of a process. */
export function listEvents(
  pid: number,
  list: LiveList,
  before: LiveList | undefined,
  changed: ReadonlySet<number>,
): ReadonlySet<WindowEvent> {
  const isOwn = (window: XWindow): boolean => window.pid === pid && changed.has(window.id);
  const known = new Map(before?.windows.map((window) => [window.id, window]));
  const isScreenSame = isSame(before?.screen, list.screen) && isSame(before?.monitors, list.monitors);
  const gone = before?.windows.filter((window) => isOwn(window) && !list.windows.some(({ id }) => id === window.id));
  const events = list.windows.filter(isOwn).map((window): WindowEvent => {
    return (isScreenSame && findMove(known.get(window.id), window)) || "changed";
  });
  return new Set(gone === undefined || gone.length === 0 ? events : [...events, "changed" as const]);
}

function findMove(before: XWindow | undefined, now: XWindow): WindowEvent | undefined {
  if (before === undefined) return undefined;
  const { zOrder, isFocused, monitor, content } = now;
  if (isSame({ ...before, zOrder, isFocused }, now)) return "turned";
  const { x, y } = now.bounds;
  const there = { ...before, bounds: { ...before.bounds, x, y }, zOrder, monitor, content };
  const isSameSize = before.content.width === content.width && before.content.height === content.height;
  return isSameSize && isSame(there, now) ? "moved" : undefined;
}
