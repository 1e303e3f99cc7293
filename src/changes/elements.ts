import type { Difference } from "../model/effect.ts";
import type { Element } from "../model/element.ts";
import type { Note } from "../model/snapshot.ts";
import { shownStates } from "../model/state.ts";

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
