import { cleanText } from "../../../model/plain-text.ts";
import type { XWindow } from "../x11/windows.ts";
import type { RawNode } from "./nodes.ts";
import { isRealExtents } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** Which accessible windows of one application belong to which X window. */
export interface WindowMatch {
  readonly window: XWindow;
  readonly frame: RawNode;
  /** Pop-ups, such as an open context menu: windows of their own that no window list shows. */
  readonly popups: readonly RawNode[];
}

const maxTitleLength = 300;

/**
 * By title and place together, then by title, then by place; what is left over pairs up only when it is one and one.
 * A frame that no window claims, and that shows something, is a pop-up of the window in front.
 */
export function matchWindows(frames: readonly RawNode[], windows: readonly XWindow[]): WindowMatch[] {
  const freeFrames = new Set(frames);
  const freeWindows = new Set(windows);
  const pairs = new Map<XWindow, RawNode>();
  const claim = (isSame: (frame: RawNode, window: XWindow) => boolean): void => {
    for (const window of freeWindows) {
      const frame = [...freeFrames].find((candidate) => isSame(candidate, window));
      if (frame === undefined) continue;
      pairs.set(window, frame);
      freeWindows.delete(window);
      freeFrames.delete(frame);
    }
  };
  claim((frame, window) => hasTitle(frame, window) && isAt(frame, window));
  claim(hasTitle);
  claim(isAt);
  const frameLike = [...freeFrames].filter((frame) => frame.childCount > 0 || frame.children.length > 0);
  if (freeWindows.size === 1 && frameLike.length === 1) claim((frame) => frame === frameLike[0]);
  const front = windows.find((window) => pairs.has(window));
  const popups = [...freeFrames].filter((frame) => hasState(frame.states, "showing"));
  return [...pairs].map(([window, frame]) => ({ window, frame, popups: window === front ? popups : [] }));
}

function hasTitle(frame: RawNode, window: XWindow): boolean {
  return window.title !== "" && cleanText(frame.name, maxTitleLength) === window.title;
}

/** Positions agree within a frame's width; sizes may differ by the scale, so they do not count. */
function isAt(frame: RawNode, window: XWindow): boolean {
  const extents = frame.details.extents;
  if (extents === undefined || !isRealExtents(extents) || extents[2] === 0) return false;
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 40;
  return (
    near(extents[0], window.content.x) && near(extents[1], window.content.y) && near(extents[2], window.content.width)
  );
}
