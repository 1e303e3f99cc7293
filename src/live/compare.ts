import { compareWindows, describePlace, hasGaps } from "../changes/compare.ts";
import type { Point } from "../model/bounds.ts";
import type { ChangeLine, WindowAspect, WindowChange } from "../model/change-line.ts";
import type { MarkedElement, View, WindowView } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import { type CompareOptions, compareContents } from "./compare-contents.ts";

export interface Compared {
  readonly lines: readonly ChangeLine[];
  /** What the client knows after these lines: for a window that was not fully read, its previous content. */
  readonly known: View;
}

export const nothingKnown: View = { takenAtMs: 0, windows: [] };

export function compareViews(before: View, after: View, options: CompareOptions): Compared {
  const old = new Map(before.windows.map((view) => [view.window.id, view]));
  const lines: ChangeLine[] = listWindowLines(before, after, options);
  const windows = after.windows.map((view) => {
    const compared = compareWindowViews(old.get(view.window.id), view, options);
    lines.push(...compared.lines);
    return compared.known;
  });
  return { lines, known: { takenAtMs: after.takenAtMs, windows } };
}

function compareWindowViews(
  before: WindowView | undefined,
  after: WindowView,
  options: CompareOptions,
): { readonly lines: readonly ChangeLine[]; readonly known: WindowView } {
  const notes = listNoteLines(before, after);
  if (before !== undefined && isPartlyRead(after)) {
    return { lines: notes, known: { ...after, elements: carryAlong(before, after.window) } };
  }
  const old = before ?? { ...after, elements: [] };
  const lines = compareContents(old, after, options);
  // Unchanged content is shared between views. In a window that moved every control has moved too.
  const isShared = before !== undefined && lines.length === 0 && isSameCorner(before.window, after.window);
  const elements = isShared ? before.elements : after.elements;
  return { lines: [...lines, ...notes], known: { ...after, elements } };
}

function isSameCorner({ bounds: one }: Window, { bounds: other }: Window): boolean {
  return one.x === other.x && one.y === other.y;
}

/** Content that was not read again, in a window that may have moved. */
function carryAlong({ window, elements }: WindowView, now: Window): readonly MarkedElement[] {
  if (isSameCorner(window, now)) return elements;
  const [byX, byY] = [now.bounds.x - window.bounds.x, now.bounds.y - window.bounds.y];
  const carry = <P extends Point>(place: P | undefined) => place && { ...place, x: place.x + byX, y: place.y + byY };
  const move = (element: MarkedElement): MarkedElement => ({
    ...element,
    bounds: carry(element.bounds),
    clickPoint: carry(element.clickPoint),
    children: element.children.map(move),
  });
  return elements.map(move);
}

function listNoteLines(before: WindowView | undefined, after: WindowView): ChangeLine[] {
  const { window, notes } = after;
  const known = new Set(before?.notes.map(({ code }) => code));
  const fresh = notes.filter(({ code }) => !known.has(code));
  const lines = fresh.map(({ code, text }): ChangeLine => ({ kind: "note", window: window.id, code, text }));
  const isWholeAgain = before !== undefined && isPartlyRead(before) && !isPartlyRead(after);
  if (isWholeAgain) lines.push({ kind: "note", window: window.id, code: "ANSWERS", text: "it can be read again" });
  return lines;
}

/** A window without a tree is whole if its picture was read. */
function isPartlyRead({ notes, elements }: WindowView): boolean {
  return hasGaps(notes.filter(({ code }) => code !== "NO_TREE" || elements.length === 0));
}

function listWindowLines(before: View, after: View, { withPlaces }: CompareOptions): ChangeLine[] {
  const [old, current] = [before, after].map((view) => view.windows.map(({ window }) => window));
  const { openedWindows, closedWindows, changedWindows } = compareWindows(old ?? [], current ?? []);
  const isGained = [...openedWindows, ...changedWindows.map(({ window }) => window)].some(({ isFocused }) => isFocused);
  const refocused = changedWindows.flatMap(({ window, differences }) =>
    differences.some(({ what }) => what === "focus") ? [window] : [],
  );
  const name = (what: WindowChange["what"], { id, app, title }: Window): WindowChange => {
    return { kind: "window", what, window: id, app, title };
  };
  return [
    ...closedWindows.map((window) => name("closed", window)),
    ...openedWindows.map((window): WindowChange => {
      const states = window.state.length === 0 ? {} : { states: window.state };
      return { ...name("opened", window), ...states, ...(withPlaces ? { place: describePlace(window) } : {}) };
    }),
    ...changedWindows.flatMap(({ window, differences }) => {
      const was: Partial<Record<WindowAspect, string>> = {};
      // That a window lost the focus is implied if another gained it.
      const reported = differences.filter(({ what }) => what !== "focus" || (!window.isFocused && !isGained));
      for (const { what, before: then } of reported) was[what] = then;
      if (reported.length === 0) return [];
      return [
        {
          ...name("changed", window),
          ...("place" in was ? { place: describePlace(window) } : {}),
          ...("states" in was ? { states: window.state } : {}),
          was,
        },
      ];
    }),
    ...[...openedWindows, ...refocused].filter(({ isFocused }) => isFocused).map((window) => name("focused", window)),
  ];
}
