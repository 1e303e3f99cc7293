import type { Difference } from "./effect.ts";
import type { SingleElement } from "./element.ts";
import { quoteText } from "./plain-text.ts";
import { shortRole } from "./role.ts";
import type { Window } from "./window.ts";

// How observations are worded: as evidence of an action, and to leave out what a list of changes says as well.

const maxNameLength = 60;

/** Text from applications is quoted, so that no label can pass for a line of Deskmap's. */
export function nameElement({ role, name }: Pick<SingleElement, "role" | "name">): string {
  return name === "" ? `the nameless ${shortRole(role)}` : `${shortRole(role)} ${quote(name)}`;
}

export function nameWindow({ app, title }: Window): string {
  return `window ${quote(title === "" ? app : title)}`;
}

export function quote(text: string): string {
  return quoteText(text, maxNameLength);
}

export const describeOpened = (window: Window): string => `${nameWindow(window)} opened`;
export const describeClosed = (window: Window): string => `${nameWindow(window)} closed`;
export const describeAppeared = (element: Pick<SingleElement, "role" | "name">): string =>
  `${nameElement(element)} appeared`;
export const describeGone = (element: Pick<SingleElement, "role" | "name">): string =>
  `${nameElement(element)} is gone`;
export const describeOther = (window: Window, what: Difference["what"]): string =>
  `${nameWindow(window)} has another ${what === "states" ? "state" : what}`;

export function describeChange({
  element,
  differences,
}: {
  readonly element: Pick<SingleElement, "role" | "name" | "states">;
  readonly differences: readonly Difference[];
}): string {
  const [first] = differences.filter(({ what }) => what !== "focus");
  if (first === undefined) {
    return `${nameElement(element)} ${element.states.has("focused") ? "got" : "lost"} the focus`;
  }
  // Of two controls that exchange their names, the former one tells which is meant.
  const known = first.what === "name" ? { ...element, name: first.before } : element;
  if (first.what !== "states") return `the ${first.what} of ${nameElement(known)} is ${quote(first.after)} now`;
  const [wasHidden, isHidden] = [first.before, first.after].map((states) => states.split(" ").includes("hidden"));
  if (wasHidden !== isHidden) return isHidden === true ? describeGone(element) : describeAppeared(element);
  const state = first.after === "" ? `not ${first.before} any more` : first.after;
  return `${nameElement(element)} is ${state} now`;
}
