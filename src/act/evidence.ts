import type { Difference } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import { kindOfRole } from "../model/role.ts";
import type { Comparison, ElementChange, Seen } from "./compare.ts";
import { nameElement, nameWindow, quote } from "./names.ts";

/** Observations after an action: what it must have caused, and what may have happened by itself. */
export interface Evidence {
  readonly sure: readonly string[];
  readonly doubtful: readonly { readonly id: string; readonly words: string }[];
}

/** All texts that appear or disappear have one id: a log writes a new line each time. */
const textsId = "texts";

/**
 * Sorts the differences. Sure are changes of the target itself, windows that opened, windows of its application that
 * closed, and controls that appeared or disappeared. Other texts, titles and log lines may change by themselves. Closed
 * windows of other applications, the focus, and a button that goes down and up prove nothing.
 */
export function gatherEvidence(comparison: Comparison, before: Seen, target: Element | undefined): Evidence {
  const pids = new Set(before.snapshot.windows.map(({ window }) => window.pid));
  const own = target && new Set(flatten([target]).map(({ handle }) => handle));
  const changed = comparison.changed.filter(isRealChange);
  const isOwn = ({ element }: ElementChange): boolean => own?.has(element.handle) === true;
  const [cameTexts, came] = splitTexts(comparison.appeared);
  const [wentTexts, went] = splitTexts(comparison.gone);
  return {
    sure: [
      ...comparison.openedWindows.map((window) => `${nameWindow(window)} opened`),
      ...comparison.closedWindows.filter(({ pid }) => pids.has(pid)).map((window) => `${nameWindow(window)} closed`),
      ...changed.filter(isOwn).map(describeChange),
      ...came.slice(0, 2).map((element) => `${nameElement(element)} appeared`),
      ...went.slice(0, 2).map((element) => `${nameElement(element)} is gone`),
    ],
    doubtful: [
      ...changed
        .filter((change) => !isOwn(change))
        .map((change) => ({ id: change.element.handle, words: describeChange(change) })),
      ...comparison.changedWindows.flatMap(({ window, differences }) => {
        const told = differences.find(({ what }) => what !== "focus");
        const words = `${nameWindow(window)} has another ${told?.what === "states" ? "state" : told?.what}`;
        return told !== undefined && pids.has(window.pid) ? [{ id: titleId(window.id), words }] : [];
      }),
      ...cameTexts.map((element) => ({ id: textsId, words: `${nameElement(element)} appeared` })),
      ...wentTexts.map((element) => ({ id: textsId, words: `${nameElement(element)} is gone` })),
    ],
  };
}

/** The ids of doubtful differences between two reads without an action in between. */
export function listRestless(comparison: Comparison, before: Seen): ReadonlySet<string> {
  return new Set(gatherEvidence(comparison, before, undefined).doubtful.map(({ id }) => id));
}

/** Whether an id of doubtful evidence names an element, whose temper the map can store. */
export function isElementId(id: string): boolean {
  return id !== textsId && !id.startsWith("title:");
}

function titleId(windowId: number): string {
  return `title:${windowId}`;
}

function splitTexts(elements: readonly Element[]): [texts: Element[], others: Element[]] {
  const isText = (element: Element): boolean => flatten([element]).every(({ role }) => kindOfRole(role) === "text");
  return [elements.filter(isText), elements.filter((element) => !isText(element))];
}

/** The focus moves even with a click that does nothing, and a clock changes by itself. */
export function isRealChange({ element, differences }: ElementChange): boolean {
  return differences.some(
    (difference) => difference.what !== "focus" && !isClock(element, difference) && !isPushed(element, difference),
  );
}

/** A button that goes down and up again has only been pressed. */
function isPushed({ role }: Element, { what, before, after }: Difference): boolean {
  if (what !== "states" || role === "toggle") return false;
  const [old, now] = [before, after].map((states) => states.replace(/\bpressed\b/, "").trim());
  return old === now;
}

const clockTime = /\b\d{1,2}:\d{2}(:\d{2})?\b/;

function isClock({ role }: Element, { before, after }: Difference): boolean {
  if (role === "progress") return true;
  const [old, now] = [before, after].map((text) => text.replace(clockTime, ""));
  return old === now && clockTime.test(before) && clockTime.test(after);
}

export function describeChange({ element, differences }: ElementChange): string {
  const [first] = differences.filter(({ what }) => what !== "focus");
  if (first === undefined) {
    return `${nameElement(element)} ${element.states.has("focused") ? "got" : "lost"} the focus`;
  }
  if (first.what !== "states") return `the ${first.what} of ${nameElement(element)} is ${quote(first.after)} now`;
  const state = first.after === "" ? `not ${first.before} any more` : first.after;
  return `${nameElement(element)} is ${state} now`;
}
