import type { Verdict } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Role } from "../model/role.ts";
import type { State } from "../model/state.ts";
import type { Comparison, ElementChange, Seen } from "./compare.ts";
import { describeChange, gatherEvidence, isRealChange } from "./evidence.ts";
import { nameElement, nameWindow } from "./names.ts";

/** A verdict on an action, and the observations behind it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly evidence: readonly string[];
  /** If everything observed may have happened by itself: the ids of what changed. */
  readonly doubtful?: readonly string[];
}

/** Everything known after an action. */
export interface Observation {
  readonly comparison: Comparison;
  readonly before: Seen;
  readonly after: Seen;
  /** The target as it is now; undefined if it was not found. */
  readonly target: Element | undefined;
  /** Whether it is gone: every place it could be was read. */
  readonly isTargetGone: boolean;
  /** Whether the application's windows were repainted. */
  readonly isRepainted: boolean;
  /** Whether a menu of the application opened. */
  readonly hasPopup: boolean;
  /** Whether the application could be read again at all. */
  readonly isReadable: boolean;
  /** The ids of what changes by itself. */
  readonly restless: ReadonlySet<string>;
}

/** Returns undefined while the wanted effect may still come. */
export type Judge = (observation: Observation) => Judgement | undefined | Promise<Judgement | undefined>;

export function confirm(...evidence: readonly string[]): Judgement {
  return { verdict: "confirmed", evidence };
}

/** The judgement if the time is over and the judge has none. */
export function judgeSilence({ comparison, isRepainted, isReadable }: Observation): Judgement {
  if (!isReadable)
    return { verdict: "unverified", evidence: ["the application cannot be read: nothing shows the effect"] };
  if (isDifferent(comparison)) {
    return { verdict: "unverified", evidence: ["something changed, but nothing that shows the wanted effect"] };
  }
  const focus = comparison.changed.filter(({ differences }) => differences.some(({ what }) => what === "focus"));
  const now = focus.find(({ element }) => element.states.has("focused"));
  if (now !== undefined) {
    return { verdict: "no-change", evidence: [`only the focus moved, to ${nameElement(now.element)}`] };
  }
  if (isRepainted) {
    const why = "the window was repainted; accessibility reports no change";
    return { verdict: "unverified", evidence: [why] };
  }
  return { verdict: "no-change", evidence: ["nothing changed"] };
}

function isDifferent({ appeared, gone, changed }: Comparison): boolean {
  return appeared.length > 0 || gone.length > 0 || changed.some(isRealChange);
}

/** A press visibly changes its target, a window or something else. */
export function judgePress(before: Element): Judge {
  return (observation) => {
    const { isTargetGone } = observation;
    if (isTwoState(before)) return judgeTwoState(before, observation);
    const gone = isTargetGone ? [`${nameElement(before)} is gone`] : [];
    return weigh(observation, before, gone);
  };
}

const maxTold = 5;

/** Sure evidence confirms. Doubtful evidence does unless it is known to change by itself. */
function weigh(observation: Observation, target: Element | undefined, more: readonly string[]): Judgement | undefined {
  const { comparison, before, hasPopup, restless } = observation;
  const { sure, doubtful } = gatherEvidence(comparison, before, target);
  const own = [...more, ...sure];
  if (own.length === 0 && hasPopup) own.push("a menu opened that accessibility does not report");
  const rest = doubtful.filter(({ id }) => !restless.has(id));
  const told = [...own, ...rest.map(({ words }) => words)].slice(0, maxTold);
  if (told.length === 0) return undefined;
  return own.length > 0 ? confirm(...told) : { ...confirm(...told), doubtful: rest.map(({ id }) => id) };
}

const twoStateRoles: ReadonlySet<Role> = new Set<Role>(["checkbox", "switch", "toggle"]);

function isTwoState({ role, states }: Element): boolean {
  return twoStateRoles.has(role) && !states.has("expanded") && !states.has("collapsed");
}

/** A toggle reports its state. If another toggle changed and this one did not, the press hit the wrong target. */
function judgeTwoState(before: Element, observation: Observation): Judgement | undefined {
  const { comparison, target, isTargetGone } = observation;
  if (isTargetGone) return confirm(`${nameElement(before)} is gone`);
  if (target === undefined) return undefined;
  const own = comparison.changed.find(({ element }) => element.handle === target.handle);
  if (own?.differences.some(({ what }) => what !== "focus") === true) return confirm(describeChange(own));
  const pids = new Set(observation.before.snapshot.windows.map(({ window }) => window.pid));
  const opened = comparison.openedWindows.filter(({ pid }) => pids.has(pid));
  if (opened.length > 0) return confirm(...opened.map((window) => `${nameWindow(window)} opened`));
  const other = comparison.changed.find(({ element, differences }) => {
    return twoStateRoles.has(element.role) && differences.some(({ what }) => what === "states");
  });
  return other && astray(before, other);
}

function astray(before: Element, other: ElementChange): Judgement {
  const evidence = [`${describeChange(other)}, and ${nameElement(before)} did not`];
  return { verdict: "wrong-target", evidence };
}

/** Confirmed by the wanted state; wrong target if another element of the same role got it instead. */
export function judgeState(before: Element, wanted: State, isWanted: boolean, words: string): Judge {
  return ({ comparison, target }) => {
    if (target !== undefined && target.states.has(wanted) === isWanted) return confirm(`it is ${words}`);
    const other = comparison.changed.find(({ element, differences }) => {
      const isSuch = element.role === before.role && element.handle !== target?.handle;
      return isSuch && element.states.has(wanted) === isWanted && differences.some(({ what }) => what === "states");
    });
    if (other !== undefined && target !== undefined) return astray(before, other);
    return undefined;
  };
}

export const judgeFocus: Judge = ({ target, comparison }) => {
  if (target?.states.has("focused") === true) return confirm("it has the keyboard focus");
  const inside = target && flatten(target.children).find(({ states }) => states.has("focused"));
  if (inside !== undefined) return confirm(`${nameElement(inside)} in it has the keyboard focus`);
  const other = comparison.changed.find(({ element, differences }) => {
    return element.states.has("focused") && differences.some(({ what }) => what === "focus");
  });
  return other && { verdict: "wrong-target", evidence: [`${nameElement(other.element)} has the focus instead`] };
};

/** A right click opens something. If something only closed, that is not the wanted effect. */
export function judgeMenu(before: Element | undefined): Judge {
  return (observation) => {
    const { comparison, hasPopup } = observation;
    const isUp = hasPopup || comparison.appeared.length > 0 || comparison.openedWindows.length > 0;
    const isGoneOnly = !isUp && !comparison.changed.some(isRealChange);
    return isGoneOnly ? undefined : weigh(observation, before, []);
  };
}

/** For keys and drags: any difference counts, including a focus that moved. */
export const judgeAnything: Judge = (observation) => {
  const focus = observation.comparison.changed.filter((change) => {
    return change.differences.some(({ what, after }) => what === "focus" && after !== "");
  });
  const moved = focus.map(({ element }) => `${nameElement(element)} got the focus`);
  return weigh(observation, observation.target, moved);
};
