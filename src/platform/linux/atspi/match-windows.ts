import { cleanText } from "../../../model/plain-text.ts";
import type { XWindow } from "../x11/windows.ts";
import { findScale } from "./geometry.ts";
import type { RawNode } from "./nodes.ts";
import { isRealExtents, isShown, type Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** The accessible windows of an application that belong to an X window. */
export interface WindowMatch {
  readonly window: XWindow;
  readonly frame: RawNode;
  /** Pop-ups such as an open context menu: separate windows that are in no window list. */
  readonly popups: readonly RawNode[];
}

export interface Matching {
  readonly matches: readonly WindowMatch[];
  /** Windows that two frames fit, or that fit a frame as well as another window does: a guess would act in the wrong one. */
  readonly undecided: readonly XWindow[];
}

/** What distinguishes windows that look the same. */
export interface Hints {
  /** Windows by their frame's path, as decided before. */
  readonly known?: ReadonlyMap<string, number> | undefined;
  /** The window that has the focus, and the only frame that is active. */
  readonly focus?: Focus | undefined;
}

export interface Focus {
  readonly window: number;
  readonly frame: string;
}

type Fits = (frame: RawNode, window: XWindow) => boolean;

const maxTitleLength = 300;
/** Windows may stand side by side or differ in size by less than what a frame may deviate: first without that. */
const slacks = { position: [2, 40], size: [1, 12] };

/**
 * Matches by title and position, title and size, title, position; a remaining pair only if it is the only one. Where
 * several fit, an earlier decision and then the focus decides. An unmatched frame that shows something is a pop-up of
 * the front window.
 */
export function matchWindows(
  frames: readonly RawNode[],
  windows: readonly XWindow[],
  quirks: Quirks,
  { known, focus }: Hints = {},
): Matching {
  const freeFrames = new Set(frames);
  const freeWindows = new Set(windows);
  const pairs = new Map<XWindow, RawNode>();
  const pairUp = (fits: Fits): void => {
    const found = [...freeWindows].flatMap((window) => {
      const [frame, ...others] = [...freeFrames].filter((candidate) => fits(candidate, window));
      if (frame === undefined || others.length > 0) return [];
      return [...freeWindows].some((other) => other !== window && fits(frame, other)) ? [] : [{ window, frame }];
    });
    for (const { window, frame } of found) {
      pairs.set(window, frame);
      freeWindows.delete(window);
      freeFrames.delete(frame);
    }
  };
  const ties: readonly Fits[] = [
    () => true,
    (frame, window) => known?.get(frame.path) === window.id,
    (frame, window) => focus === undefined || (focus.window === window.id) === (focus.frame === frame.path),
    (frame) => isShown(quirks, frame.states),
  ];
  const claim = (fits: Fits): void => {
    for (const isTied of ties) pairUp((frame, window) => fits(frame, window) && isTied(frame, window));
  };
  const sized = slacks.size.map(
    (slack): Fits =>
      (frame, window) =>
        hasSize(frame, window, quirks, slack),
  );
  const placed = slacks.position.map(
    (slack): Fits =>
      (frame, window) =>
        isAt(frame, window, quirks, slack),
  );
  // A toolkit that measures from its windows does not know their positions.
  const there = quirks.extentsFrom === "screen" ? placed : sized;
  for (const fits of [...there, ...sized]) claim((frame, window) => hasTitle(frame, window) && fits(frame, window));
  claim(hasTitle);
  for (const fits of there) claim(fits);
  const frameLike = [...freeFrames].filter((frame) => frame.childCount > 0 || frame.children.length > 0);
  if (freeWindows.size === 1 && frameLike.length === 1) claim((frame) => frame === frameLike[0]);
  const mayBe = (frame: RawNode, window: XWindow): boolean =>
    hasTitle(frame, window) || there.some((fits) => fits(frame, window));
  const undecided = [...freeWindows].filter((window) => [...freeFrames].some((frame) => mayBe(frame, window)));
  const front = windows.find((window) => pairs.has(window));
  const popups = [...freeFrames].filter(
    (frame) => hasState(frame.states, "showing") && !undecided.some((window) => mayBe(frame, window)),
  );
  const matches = [...pairs].map(([window, frame]) => ({ window, frame, popups: window === front ? popups : [] }));
  return { matches, undecided };
}

function hasTitle(frame: RawNode, window: XWindow): boolean {
  return window.title !== "" && cleanText(frame.name, maxTitleLength) === window.title;
}

/** Positions may differ by a frame's width, or more if monitors have their own scale and origin: then sizes decide. */
function isAt(frame: RawNode, window: XWindow, quirks: Quirks, slack: number): boolean {
  const { extents } = frame.details;
  if (extents === undefined || !isRealExtents(extents) || extents[2] === 0) return false;
  const { scale, reference } = findScale(window, extents, quirks);
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= slack;
  return (
    near(extents[0] * scale, reference.x) &&
    near(extents[1] * scale, reference.y) &&
    near(extents[2] * scale, reference.width)
  );
}

function hasSize(frame: RawNode, window: XWindow, quirks: Quirks, slack: number): boolean {
  const { extents } = frame.details;
  if (extents === undefined || !isRealExtents(extents) || extents[2] === 0 || extents[3] === 0) return false;
  const { scale, reference } = findScale(window, extents, quirks);
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= slack * scale;
  return near(extents[2] * scale, reference.width) && near(extents[3] * scale, reference.height);
}
