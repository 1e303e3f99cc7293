import type { Difference, Verdict } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Role } from "../model/role.ts";
import type { State } from "../model/state.ts";
import type { Comparison, ElementChange, Seen } from "./compare.ts";
import { nameElement, nameWindow, quote } from "./words.ts";

/** What was found out about an action, and from what. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly evidence: readonly string[];
  /** Where all that was seen may have happened by itself: the counters or clocks elsewhere in the window that changed. */
  readonly doubtful?: readonly string[];
}

/** What there is to judge by after an action. */
export interface Observation {
  readonly comparison: Comparison;
  readonly before: Seen;
  readonly after: Seen;
  /** The target as it is now; undefined when it is not there any more. */
  readonly target: Element | undefined;
  /** Whether it was looked for everywhere it could be. */
  readonly isTargetGone: boolean;
  /** Whether the application's windows were repainted. */
  readonly isRepainted: boolean;
  /** Whether a menu of the application came up. */
  readonly hasPopup: boolean;
  /** Whether the application could be read again at all. */
  readonly isReadable: boolean;
}

/** Judges what is seen; undefined while what was wanted may still come. */
export type Judge = (observation: Observation) => Judgement | undefined | Promise<Judgement | undefined>;

export function confirm(...evidence: readonly string[]): Judgement {
  return { verdict: "confirmed", evidence };
}

/** What is to be said when the time is over and no judge was satisfied. */
export function judgeSilence({ comparison, isRepainted, isReadable }: Observation): Judgement {
  if (!isReadable)
    return { verdict: "unverified", evidence: ["the application cannot be read: nothing shows what it did"] };
  const focus = comparison.changed.filter(({ differences }) => differences.some(({ what }) => what === "focus"));
  const now = focus.find(({ element }) => element.states.has("focused"));
  if (now !== undefined) {
    return { verdict: "no-change", evidence: [`only the focus moved, to ${nameElement(now.element)}`] };
  }
  if (isRepainted) {
    const why = "the window was repainted; nothing that accessibility tells is different";
    return { verdict: "unverified", evidence: [why] };
  }
  return { verdict: "no-change", evidence: ["everything is as it was"] };
}

/** A press does something that can be seen: to its target, to the windows, or to what is around it. */
export function judgePress(before: Element): Judge {
  return (observation) => {
    const { comparison, isTargetGone } = observation;
    if (isTwoState(before)) return judgeTwoState(before, observation);
    const changed = comparison.changed.filter(isRealChange);
    const evidence = [
      ...listWindowEvidence(comparison),
      ...(isTargetGone ? [`${nameElement(before)} is gone`] : []),
      ...comparison.appeared.slice(0, 2).map((element) => `${nameElement(element)} appeared`),
      ...comparison.gone.slice(0, 2).map((element) => `${nameElement(element)} is gone`),
    ];
    if (observation.hasPopup && evidence.length === 0)
      evidence.push("a menu came up, of which accessibility tells nothing");
    const told = [...evidence, ...changed.slice(0, 3).map(describeChange)];
    if (told.length === 0) return undefined;
    const isDoubtful = evidence.length === 0 && changed.every((change) => isCount(change, before));
    return { ...confirm(...told), ...(isDoubtful ? { doubtful: changed.map((one) => one.element.runtimeId) } : {}) };
  };
}

/** Only digits elsewhere are different: a button may have counted, or a clock. */
function isCount({ element, differences }: ElementChange, target: Element): boolean {
  return element.runtimeId !== target.runtimeId && differences.every(isCounting);
}

function isCounting({ what, before, after }: Difference): boolean {
  return what === "focus" || before.replaceAll(/\d+/g, "") === after.replaceAll(/\d+/g, "");
}

const twoStateRoles: ReadonlySet<Role> = new Set<Role>(["checkbox", "switch", "toggle"]);

function isTwoState({ role, states }: Element): boolean {
  return twoStateRoles.has(role) && !states.has("expanded") && !states.has("collapsed");
}

/** A toggle shows what it is: if another one of its kind changed and it did not, the press went astray. */
function judgeTwoState(before: Element, { comparison, target, isTargetGone }: Observation): Judgement | undefined {
  if (isTargetGone) return confirm(`${nameElement(before)} is gone`);
  if (target === undefined) return undefined;
  const own = comparison.changed.find(({ element }) => element.runtimeId === target.runtimeId);
  if (own?.differences.some(({ what }) => what !== "focus") === true) return confirm(describeChange(own));
  const window = listWindowEvidence(comparison);
  if (window.length > 0) return confirm(...window);
  const other = comparison.changed.find(({ element, differences }) => {
    return twoStateRoles.has(element.role) && differences.some(({ what }) => what === "states");
  });
  return other && astray(before, other);
}

function astray(before: Element, other: ElementChange): Judgement {
  const evidence = [`${describeChange(other)}, and ${nameElement(before)} did not`];
  return { verdict: "wrong-target", evidence };
}

/** The wanted state is there, or something else of the same kind has it now instead. */
export function judgeState(before: Element, wanted: State, isWanted: boolean, words: string): Judge {
  return ({ comparison, target }) => {
    if (target !== undefined && target.states.has(wanted) === isWanted) return confirm(`it is ${words}`);
    const other = comparison.changed.find(({ element, differences }) => {
      const isSuch = element.role === before.role && element.runtimeId !== target?.runtimeId;
      return isSuch && element.states.has(wanted) === isWanted && differences.some(({ what }) => what === "states");
    });
    if (other !== undefined && target !== undefined) return astray(before, other);
    return undefined;
  };
}

export function judgeFocus(): Judge {
  return ({ target, comparison }) => {
    if (target?.states.has("focused") === true) return confirm("it has the keyboard focus");
    const inside = target && flatten(target.children).find(({ states }) => states.has("focused"));
    if (inside !== undefined) return confirm(`${nameElement(inside)} in it has the keyboard focus`);
    const other = comparison.changed.find(({ element, differences }) => {
      return element.states.has("focused") && differences.some(({ what }) => what === "focus");
    });
    return other && { verdict: "wrong-target", evidence: [`${nameElement(other.element)} has the focus instead`] };
  };
}

/** A right click brings something up; it may also only have closed what was open, which is not what was wanted. */
export function judgeMenu(): Judge {
  return ({ comparison, hasPopup }) => {
    const evidence = [
      ...comparison.openedWindows.map((window) => `${nameWindow(window)} opened`),
      ...comparison.appeared.slice(0, 3).map((element) => `${nameElement(element)} appeared`),
      ...comparison.changed.filter(isRealChange).slice(0, 3).map(describeChange),
    ];
    if (hasPopup && evidence.length === 0) evidence.push("a menu came up, of which accessibility tells nothing");
    return evidence.length === 0 ? undefined : confirm(...evidence);
  };
}

/** For keys, drags and the like: whatever is different was done by them. */
export function judgeAnything(): Judge {
  return ({ comparison }) => {
    const evidence = [
      ...listWindowEvidence(comparison),
      ...comparison.appeared.slice(0, 2).map((element) => `${nameElement(element)} appeared`),
      ...comparison.gone.slice(0, 2).map((element) => `${nameElement(element)} is gone`),
      ...comparison.changed.slice(0, 3).map(describeChange),
    ];
    return evidence.length === 0 ? undefined : confirm(...evidence);
  };
}

function listWindowEvidence({ openedWindows, closedWindows, changedWindows }: Comparison): string[] {
  return [
    ...openedWindows.map((window) => `${nameWindow(window)} opened`),
    ...closedWindows.map((window) => `${nameWindow(window)} closed`),
    ...changedWindows.flatMap(({ window, differences }) =>
      differences
        // A window that a press brings to the front proves nothing about the press.
        .filter(({ what }) => what !== "focus")
        .map(({ what }) => `${nameWindow(window)} has another ${what === "states" ? "state" : what}`),
    ),
  ];
}

/** The focus moves with every click, also with one that does nothing; a clock ticks by itself. */
function isRealChange({ element, differences }: ElementChange): boolean {
  return differences.some(
    (difference) => difference.what !== "focus" && !isClock(element, difference) && !isPushed(element, difference),
  );
}

/** A button that goes down and comes up again has only been pushed. */
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

function describeChange({ element, differences }: ElementChange): string {
  const [first] = differences.filter(({ what }) => what !== "focus");
  if (first === undefined) {
    return `${nameElement(element)} ${element.states.has("focused") ? "got" : "lost"} the focus`;
  }
  if (first.what === "states")
    return `${nameElement(element)} is ${first.after === "" ? `not ${first.before} any more` : first.after} now`;
  return `the ${first.what} of ${nameElement(element)} is ${quote(first.after)} now`;
}
