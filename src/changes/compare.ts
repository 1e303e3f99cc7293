import { type ChangesOf, type Difference, noChanges } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import type { Note } from "../model/snapshot.ts";
import { shownStates } from "../model/state.ts";
import type { Window } from "../model/window.ts";

type Comparable = Pick<Element, "name" | "value" | "states">;

/** What differs in what a read shows of a control. */
export function listDifferences(before: Comparable, after: Comparable): Difference[] {
  const differences: Difference[] = [];
  const note = (what: Difference["what"], old: string, now: string): void => {
    if (old !== now) differences.push({ what, before: old, after: now });
  };
  note("name", before.name, after.name);
  note("value", before.value, after.value);
  note("states", describeStates(before), describeStates(after));
  note("focus", describeFocus(before), describeFocus(after));
  return differences;
}

/** Focus is reported separately, since it moves often. */
const comparedStates = shownStates.filter((state) => state !== "focused");

function describeStates({ states }: Pick<Element, "states">): string {
  return comparedStates.filter((state) => states.has(state)).join(" ");
}

function describeFocus({ states }: Pick<Element, "states">): string {
  return states.has("focused") ? "focused" : "";
}

const gaps: ReadonlySet<Note["code"]> = new Set<Note["code"]>(["TIMEOUT", "GONE", "FAILED", "NO_TREE"]);

/** Whether something was not read: then missing elements do not count as gone. */
export function hasGaps(notes: readonly Note[]): boolean {
  return notes.some(({ code }) => gaps.has(code));
}

/** Compares two window lists; windows in both are compared only if `isOfInterest`. */
export function compareWindows(
  before: readonly Window[],
  after: readonly Window[],
  isOfInterest: (window: Window) => boolean = () => true,
): ChangesOf<never> {
  const openedWindows = after.filter(({ id }) => before.every((one) => one.id !== id));
  const closedWindows = before.filter(({ id }) => after.every((one) => one.id !== id));
  const changedWindows = after.flatMap((window) => {
    const old = before.find(({ id }) => id === window.id);
    const differences = old !== undefined && isOfInterest(window) ? listWindowDifferences(old, window) : [];
    return differences.length === 0 ? [] : [{ window, differences }];
  });
  if (openedWindows.length + closedWindows.length + changedWindows.length === 0) return noChanges;
  return { ...noChanges, openedWindows, closedWindows, changedWindows };
}

function listWindowDifferences(before: Window, after: Window): Difference[] {
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
