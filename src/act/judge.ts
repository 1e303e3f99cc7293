import type { Difference, Verdict } from "../model/effect.ts";
import { type Element, flatten } from "../model/element.ts";
import { describeChange, nameElement, nameWindow } from "../model/observed.ts";
import { isTextual } from "../model/pair.ts";
import type { Role } from "../model/role.ts";
import type { State } from "../model/state.ts";
import type { Temper } from "../sources/port.ts";
import type { Comparison, ElementChange, Part, Seen } from "./compare.ts";
import { gatherEvidence, isRealChange } from "./evidence.ts";

/** A verdict on an action, and the observations behind it. */
export interface Judgement {
  readonly verdict: Verdict;
  readonly evidence: readonly string[];
  /** What may have happened by itself, if that is everything that was observed. */
  readonly doubtful?: readonly Part[] | undefined;
  /** Whether only changes beside the target confirm it: they may be a part of something greater. */
  readonly isIndirect?: boolean;
  /** Whether the target itself was asked, after everything else was read: its answer includes what it reported until then. */
  readonly isAsked?: boolean;
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
  /** Whether its pictures were read: taking them makes it draw, so drawing tells nothing. */
  readonly isPictured: boolean;
  /** Whether a menu of the application opened. */
  readonly hasPopup: boolean;
  /** Whether the application could be read again at all. */
  readonly isReadable: boolean;
  /** Whether something changes by itself; undefined if that is not known yet. */
  readonly temperOf: (part: Part) => Temper | undefined;
  /** Whether it may be the late effect of the action before. */
  readonly isForeign: (part: Part) => boolean;
}

/** How much evidence is reported. */
const maxTold = 5;

/** Returns undefined while the wanted effect may still come. */
export type Judge = (observation: Observation) => Judgement | undefined | Promise<Judgement | undefined>;

export function confirm(...evidence: readonly string[]): Judgement {
  return { verdict: "confirmed", evidence };
}

/** If only a part of a text was sent, nothing that was observed is more than partial. */
export function admitShortfall({ evidence, ...judgement }: Judgement, shortfall: string): Judgement {
  return shortfall === "" ? { ...judgement, evidence } : { verdict: "partial", evidence: [shortfall, ...evidence] };
}

/**
 * The judgement if the time is over and the judge has none. `isStillDrawing`: the application kept drawing until then, as a
 * page does that is being loaded.
 */
export function judgeSilence(observation: Observation, isStillDrawing = false): Judgement {
  const { comparison, before, isRepainted, isPictured, isReadable } = observation;
  const windows = listWindowChanges(comparison);
  if (isWindowLost(observation)) return { verdict: "partial", evidence: windows };
  if (!isReadable) {
    const why = "the application cannot be read: nothing shows the effect";
    return { verdict: "unverified", evidence: [why, ...windows] };
  }
  if (isDifferent(comparison) || windows.length > 0) {
    const seen = gatherEvidence(comparison, before, undefined);
    const unexplained = seen.filter((one) => observation.temperOf(one) !== "restless");
    const isLate = unexplained.length > 0 && unexplained.every(observation.isForeign);
    const isOnlyMenu = windows.length === 0 && !isDifferent(leaveOutMenu(comparison));
    const why = isOnlyMenu
      ? "only a menu closed, as it does after any entry"
      : isLate
        ? "what changed may be the late effect of the action before"
        : "something changed, but nothing that shows the wanted effect";
    return { verdict: "unverified", evidence: [why, ...windows] };
  }
  const focus = comparison.changed.filter(({ differences }) => differences.some(({ what }) => what === "focus"));
  const now = focus.find(({ element }) => element.states.has("focused"));
  if (now !== undefined && !isStillDrawing) {
    return { verdict: "no-change", evidence: [`only the focus moved, to ${nameElement(now.element)}`] };
  }
  if (isRepainted || isStillDrawing) {
    const why = isStillDrawing
      ? "the window is still being drawn, and accessibility reports no change yet"
      : "the window was repainted; accessibility reports no change";
    return { verdict: "unverified", evidence: [why] };
  }
  if (isPictured) {
    const why = "nothing that was read in its picture changed; it may look different all the same";
    return { verdict: "unverified", evidence: [why] };
  }
  return { verdict: "no-change", evidence: [`nothing changed in ${describeWatched(before)}`] };
}

/** Whether nothing has changed that could be an effect, as far as it was read. */
export function isSilent({ comparison, isReadable, hasPopup }: Observation): boolean {
  return isReadable && !hasPopup && !isDifferent(comparison) && listWindowChanges(comparison).length === 0;
}

/** The judgement where a recording foretold that nothing shows: too little time has passed to deny an effect. */
export function judgeBriefSilence(observation: Observation): Judgement {
  const { verdict, evidence } = judgeSilence(observation);
  if (verdict !== "no-change") return { verdict, evidence };
  const why = "an effect was not waited for longer, because its recording saw none";
  return { verdict: "unverified", evidence: [...evidence, why] };
}

/** Whether a window that was acted on, or its whole application, is gone. */
function isWindowLost({ comparison, before }: Observation): boolean {
  const own = new Set(before.snapshot.windows.map(({ window }) => window.id));
  return comparison.closedWindows.some(({ id }) => own.has(id));
}

/** Windows of any application that opened, closed or changed their title or state. */
function listWindowChanges({ openedWindows, closedWindows, changedWindows }: Comparison): string[] {
  const changed = changedWindows.flatMap(({ window, differences }) => {
    const [told] = differences.filter(({ what }) => what !== "focus");
    return told === undefined
      ? []
      : [`${nameWindow(window)} has another ${told.what === "states" ? "state" : told.what}`];
  });
  const [opened, closed] = [openedWindows, closedWindows].map((list) => list.map(nameWindow));
  const lines = [...(closed ?? []).map((name) => `${name} closed`), ...(opened ?? []).map((name) => `${name} opened`)];
  return [...lines, ...changed].slice(0, maxTold);
}

/** What a denial is based on: files and other applications are not watched. */
function describeWatched({ snapshot }: Seen): string {
  const names = snapshot.windows.map(({ window }) => nameWindow(window));
  const shown = names.slice(0, 2).join(" and ");
  const more = names.length > 2 ? ` and ${names.length - 2} more` : "";
  return `${shown === "" ? "the window list" : `${shown}${more}`} (controls, texts, focus, drawing) or in the window list`;
}

function isDifferent({ appeared, gone, changed }: Comparison): boolean {
  return appeared.length > 0 || gone.length > 0 || changed.some(isRealChange);
}

/** A press visibly changes its target, a window or something else. An entry of a menu does more than close its menu. */
export function judgePress(before: Element, isMenuEntry = false): Judge {
  return (observation) => {
    const { isTargetGone, comparison } = observation;
    if (isTwoState(before)) {
      const told = judgeTwoState(before, observation);
      // The keys of some calculators are toggles that come up again by themselves.
      return told === undefined && before.role === "toggle" ? weigh(observation, before, []) : told;
    }
    if (isMenuEntry) return weigh({ ...observation, comparison: leaveOutMenu(comparison) }, before, []);
    const gone = isTargetGone ? [`${nameElement(before)} is gone`] : [];
    return weigh(observation, before, gone);
  };
}

/** Where a new state is wanted, and not whatever a press does. */
export function judgeToggle(before: Element): Judge {
  return isTwoState(before) ? (observation) => judgeTwoState(before, observation) : judgePress(before);
}

export const openStates: readonly State[] = ["checked", "pressed", "expanded"];

/** Whether a control that says it opens something is only pressed: nothing has appeared, and nothing but texts has changed. */
export function isHalfDone(before: Element, { comparison, target, hasPopup }: Observation): boolean {
  if (!before.states.has("haspopup") || target === undefined || hasPopup) return false;
  const { appeared, gone, changed, openedWindows } = comparison;
  const others = changed.filter((change) => {
    return change.element.handle !== target.handle && isRealChange(change) && !isTextual(change.element);
  });
  const isOn = openStates.some((state) => target.states.has(state) && !before.states.has(state));
  return isOn && [...appeared, ...gone, ...openedWindows, ...others].length === 0;
}

/** Menus that closed, and the openers and entries that are no longer highlighted. */
function leaveOutMenu(comparison: Comparison): Comparison {
  const isMenu = ({ role, children }: Element): boolean =>
    menuRoles.has(role) || (children.length > 0 && children.every(isMenu));
  const isHighlight = ({ what, before, after }: Difference): boolean =>
    what === "focus" || (what === "states" && !`${before} ${after}`.includes("checked"));
  return {
    ...comparison,
    gone: comparison.gone.filter((element) => !isMenu(element)),
    changed: comparison.changed.filter(
      ({ element, differences }) => !(menuRoles.has(element.role) && differences.every(isHighlight)),
    ),
  };
}

const menuRoles: ReadonlySet<Role> = new Set<Role>(["menu", "menuitem", "separator"]);

/** What changes by itself, or may be the late effect of another action, is no evidence; what may do so confirms with doubt. */
function weigh(observation: Observation, target: Element | undefined, more: readonly string[]): Judgement | undefined {
  const { comparison, before, hasPopup, temperOf, isForeign } = observation;
  const left = gatherEvidence(comparison, before, target)
    .filter((one) => one.isSure || !isForeign(one))
    .map((one) => ({ ...one, temper: temperOf(one) }))
    .filter(({ temper }) => temper !== "restless");
  const proofs = left.filter(({ isSure, temper }) => isSure || temper === "calm");
  const own = [...new Set([...more, ...proofs.map(({ words }) => words)])];
  const isIndirect = own.length > 0 && more.length === 0 && !proofs.some(({ isSure }) => isSure);
  if (own.length === 0 && hasPopup) own.push("a menu opened that accessibility does not report");
  if (own.length > 0) return { ...confirm(...own.slice(0, maxTold)), isIndirect };
  if (left.length === 0) return undefined;
  return { ...confirm(...left.slice(0, maxTold).map(({ words }) => words)), doubtful: left };
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

/**
 * For a text that is typed where nothing can be written: something new or different must have it. One character may be a
 * key of the application, such as a digit of a calculator.
 */
export function judgeShown(text: string): Judge {
  const isKey = [...text].length <= 1;
  const hasText = ({ name, value }: Element): boolean => name.includes(text) || value.includes(text);
  return (observation) => {
    const { appeared, changed } = observation.comparison;
    const isShown = [...flatten(appeared), ...changed.map(({ element }) => element)].some(hasText);
    return isKey || isShown ? judgeAnything(observation) : undefined;
  };
}
