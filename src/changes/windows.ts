import { type Changes, type Difference, noChanges } from "../model/effect.ts";
import type { Window } from "../model/window.ts";

/** Compares two window lists; windows in both are compared only if `isOfInterest`. */
export function compareWindows(
  before: readonly Window[],
  after: readonly Window[],
  isOfInterest: (window: Window) => boolean = () => true,
): Changes {
  const openedWindows = after.filter(({ id }) => before.every((one) => one.id !== id));
  const closedWindows = before.filter(({ id }) => after.every((one) => one.id !== id));
  const changedWindows = after.flatMap((window) => {
    const old = before.find(({ id }) => id === window.id);
    const differences = old !== undefined && isOfInterest(window) ? listDifferences(old, window) : [];
    return differences.length === 0 ? [] : [{ window, differences }];
  });
  if (openedWindows.length + closedWindows.length + changedWindows.length === 0) return noChanges;
  return { ...noChanges, openedWindows, closedWindows, changedWindows };
}

function listDifferences(before: Window, after: Window): Difference[] {
  const aspects: readonly [Difference["what"], (window: Window) => string][] = [
    ["title", ({ title }) => title],
    ["place", describePlace],
    ["states", ({ state }) => state.join(" ")],
    ["focus", ({ isFocused }) => (isFocused ? "focused" : "")],
  ];
  return aspects
    .map(([what, tell]) => ({ what, before: tell(before), after: tell(after) }))
    .filter((one) => one.before !== one.after);
}

export function describePlace({ bounds: { x, y, width, height } }: Window): string {
  return `${width}x${height} at ${x},${y}`;
}
