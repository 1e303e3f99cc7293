import type { WindowAspect } from "../model/change-line.ts";
import { type ChangesOf, type Difference, type ElementAspect, noChanges } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import type { Note } from "../model/snapshot.ts";
import { shownStates } from "../model/state.ts";
import type { Window } from "../model/window.ts";

type Comparable = Pick<Element, "name" | "value" | "states">;

/** How each aspect is compared: as text. */
type Aspects<Subject, What> = readonly (readonly [What, (subject: Subject) => string])[];

function compareAspects<Subject, What>(aspects: Aspects<Subject, What>, before: Subject, after: Subject) {
  const differences: Difference<What>[] = [];
  for (const [what, describe] of aspects) {
    const [old, now] = [describe(before), describe(after)];
    if (old !== now) differences.push({ what, before: old, after: now });
  }
  return differences;
}

const elementAspects: Aspects<Comparable, ElementAspect> = [
  ["name", ({ name }) => name],
  ["value", ({ value }) => value],
  ["states", ({ states }) => comparedStates.filter((state) => states.has(state)).join(" ")],
  ["focus", ({ states }) => (states.has("focused") ? "focused" : "")],
];

export function listDifferences(before: Comparable, after: Comparable): Difference<ElementAspect>[] {
  return compareAspects(elementAspects, before, after);
}

/** Focus is reported separately, since it moves often. */
const comparedStates = shownStates.filter((state) => state !== "focused");

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
    const differences = old !== undefined && isOfInterest(window) ? compareAspects(windowAspects, old, window) : [];
    return differences.length === 0 ? [] : [{ window, differences }];
  });
  if (openedWindows.length + closedWindows.length + changedWindows.length === 0) return noChanges;
  return { ...noChanges, openedWindows, closedWindows, changedWindows };
}

const windowAspects: Aspects<Window, WindowAspect> = [
  ["title", ({ title }) => title],
  ["place", describePlace],
  ["states", ({ state }) => state.join(" ")],
  ["focus", ({ isFocused }) => (isFocused ? "focused" : "")],
];

export function describePlace({ bounds: { x, y, width, height } }: Window): string {
  return `${width}x${height} at ${x},${y}`;
}
