import { cleanText } from "../../../model/plain-text.ts";
import type { XWindow } from "../x11/windows.ts";
import { findScale } from "./geometry.ts";
import type { RawNode } from "./nodes.ts";
import { isRealExtents, type Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** The accessible windows of an application that belong to an X window. */
export interface WindowMatch {
  readonly window: XWindow;
  readonly frame: RawNode;
  /** Pop-ups such as an open context menu: separate windows that are in no window list. */
  readonly popups: readonly RawNode[];
}

const maxTitleLength = 300;

/**
 * Matches by title and position, title and size, title, position; a remaining pair only if it is the only one. An
 * unmatched frame that shows something is a pop-up of the front window.
 */
export function matchWindows(frames: readonly RawNode[], windows: readonly XWindow[], quirks: Quirks): WindowMatch[] {
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
  // A toolkit that measures from its windows does not know their positions.
  const isThere = quirks.extentsFrom === "screen" ? isAt : hasSize;
  claim((frame, window) => hasTitle(frame, window) && isThere(frame, window, quirks));
  claim((frame, window) => hasTitle(frame, window) && hasSize(frame, window, quirks));
  claim(hasTitle);
  claim((frame, window) => isThere(frame, window, quirks));
  const frameLike = [...freeFrames].filter((frame) => frame.childCount > 0 || frame.children.length > 0);
  if (freeWindows.size === 1 && frameLike.length === 1) claim((frame) => frame === frameLike[0]);
  const front = windows.find((window) => pairs.has(window));
  const popups = [...freeFrames].filter((frame) => hasState(frame.states, "showing"));
  return [...pairs].map(([window, frame]) => ({ window, frame, popups: window === front ? popups : [] }));
}

function hasTitle(frame: RawNode, window: XWindow): boolean {
  return window.title !== "" && cleanText(frame.name, maxTitleLength) === window.title;
}

/** Positions may differ by a frame's width, or more if monitors have their own scale and origin: then sizes decide. */
function isAt(frame: RawNode, window: XWindow, quirks: Quirks): boolean {
  const { extents } = frame.details;
  if (extents === undefined || !isRealExtents(extents) || extents[2] === 0) return false;
  const { scale, reference } = findScale(window, extents, quirks);
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 40;
  return (
    near(extents[0] * scale, reference.x) &&
    near(extents[1] * scale, reference.y) &&
    near(extents[2] * scale, reference.width)
  );
}

function hasSize(frame: RawNode, window: XWindow, quirks: Quirks): boolean {
  const { extents } = frame.details;
  if (extents === undefined || !isRealExtents(extents) || extents[2] === 0 || extents[3] === 0) return false;
  const { scale, reference } = findScale(window, extents, quirks);
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 12 * scale;
  return near(extents[2] * scale, reference.width) && near(extents[3] * scale, reference.height);
}
