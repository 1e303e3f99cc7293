import { entryRoles, isEntry, isOpenable, isPressedChoice, isTwoState } from "../find/suit.ts";
import type { Command } from "../model/command.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { nameElement } from "../model/observed.ts";
import type { Role } from "../model/role.ts";
import type { State } from "../model/state.ts";
import { hasTrait } from "../model/trait.ts";
import type { Attempt } from "./attempt.ts";
import {
  confirm,
  isHalfDone,
  type Judge,
  judgeFocus,
  judgeMenu,
  judgePress,
  judgeState,
  judgeToggle,
} from "./judge.ts";
import type { Intent } from "./perform.ts";
import { isInPopup } from "./popups.ts";
import {
  byAction,
  byFocus,
  byInnerHandle,
  byKey,
  byNamedAction,
  byPointer,
  byPointerAndKey,
  byReadyPointer,
  bySelection,
  isCurrentCell,
  type Pressing,
  unlessInPopup,
  unlessKeysSuffer,
  type Way,
} from "./ways.ts";

const leftClick: Pressing = { button: "left", count: 1 };
const pointer = byPointer(leftClick);

const fieldRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "document", "terminal", "web", "slider"]);

const pressChain: readonly Way[] = [
  byAction("press"),
  byAction("toggle"),
  byAction("pick"),
  bySelection(true),
  byKey("space", " "),
  pointer,
];
/** The "activate" action of an entry is its double click; a single click only selects it. */
const entryChain: readonly Way[] = [unlessKeysSuffer(bySelection(true)), pointer];
/** An entry that cannot be selected but pressed is a link or button. */
const pressedEntryChain: readonly Way[] = [byAction("press"), pointer];

/** For visible controls whose accessible action may block the application. */
const pointerFirstChain: readonly Way[] = [pointer, byAction("press")];

/** The pointer comes first where the action may do less than a press, and where it is sooner and does no harm. */
function orderWays(element: Element, chain: readonly Way[]): readonly Way[] {
  if (element.states.has("hidden")) return chain;
  if (hasTrait(element, "action-may-fall-short")) return [pointer, ...chain.filter((way) => way !== pointer)];
  return hasTrait(element, "action-comes-late") ? [byReadyPointer, ...chain] : chain;
}

export function planClick(element: Element, pressing: Pressing): Intent {
  const { button, count, offset, isByPointer = false } = pressing;
  const isPlain = button === "left" && count === 1 && offset === undefined && !isByPointer;
  const judge = unlessHalfDone((attempt) => judgePress(attempt.element, isMenuEntry(attempt)));
  if (button === "right")
    return { chain: [byPointer(pressing)], judge: (attempt) => judgeMenu(attempt.element), isRepeatable: false };
  if (!isPlain) return { chain: [byPointer(pressing)], judge, foresee: foreseePress, isRepeatable: false };
  // Only the pointer presses a field: its accessible actions submit the form, and its focus alone calls no handler.
  if (fieldRoles.has(element.role)) {
    return { chain: [pointer], judge: (attempt) => judgeFieldPress(attempt.element), isRepeatable: true };
  }
  if (entryRoles.has(element.role)) {
    const isSelectable = element.states.has("selectable");
    if (isSelectable && !element.states.has("selected")) {
      return {
        chain: entryChain,
        judge: unlessListCloses((attempt) => judgeClicked(attempt.element)),
        isRepeatable: true,
      };
    }
    return { chain: isSelectable ? [pointer] : pressedEntryChain, judge, foresee: foreseePress, isRepeatable: false };
  }
  const mayBlock = hasTrait(element, "action-may-block") && !element.states.has("hidden");
  const chain = mayBlock ? pointerFirstChain : orderWays(element, pressChain);
  return { chain, judge, foresee: foreseePress, isRepeatable: false };
}

/** An entry of a menu, not of a drop-down list: of those, that the list closes shows the choice. */
function isMenuEntry({ element, sighting }: Attempt): boolean {
  const isInList = sighting.placed.ancestors.some(({ role }) => role === "select");
  return element.role === "menuitem" && !element.states.has("hidden") && !isInList;
}

/** A field that gets the focus was pressed; one that has it shows a press as anything else does. */
function judgeFieldPress(before: Element): Judge {
  const [focus, press] = [judgeFocus, judgePress(before)] as const;
  if (before.states.has("focused")) return press;
  return async (observation) => {
    const focused = await focus(observation);
    return focused?.verdict === "confirmed" ? focused : ((await press(observation)) ?? focused);
  };
}

/** Whichever way is used, it amounts to a press. */
function foreseePress(element: Element): Command {
  return { kind: "invoke", element, action: element.invocations.press ?? "press" };
}

/** Confirms by the target's own state; otherwise another judge decides, which gets the control as it was. */
function confirmIf(
  isSo: (target: Element) => boolean,
  words: string,
  judge: (before: Element) => Judge,
): Intent["judge"] {
  return ({ element }) => {
    const otherwise = judge(element);
    return (observation) => {
      const { target } = observation;
      return target !== undefined && isSo(target) ? confirm(words) : otherwise(observation);
    };
  };
}

/** An entry reports that it is selected. One of a drop-down list disappears with it; the control that opened it changes. */
function judgeChosen(before: Element): Judge {
  const state = judgeState(before, "selected", true, "selected");
  const press = judgePress(before);
  const isReported = !hasTrait(before, "selection-unreported");
  return async (observation) => {
    const told = await state(observation);
    return told === undefined && (observation.isTargetGone || !isReported) ? press(observation) : told;
  };
}

/** Of a sheet, the cell that was clicked is the current one, also if it was before, and is not reported as selected. */
function judgeClicked(before: Element): Judge {
  const chosen = judgeChosen(before);
  return async (observation) => {
    const told = await chosen(observation);
    const isEvidence = !before.states.has("focused") || isCurrentCell(before);
    const isCurrent = observation.target?.states.has("focused") === true && isEvidence;
    return told === undefined && isCurrent ? confirm("it is the current entry") : told;
  };
}

/** The entry that an open drop-down list highlights is selected too: only that the list closes shows a choice. */
function unlessListCloses(judge: Intent["judge"]): Intent["judge"] {
  return async (attempt) => {
    if (!(await isInPopup(attempt))) return judge(attempt);
    const press = judgePress(attempt.element);
    return (observation) => (observation.isTargetGone ? press(observation) : undefined);
  };
}

/** What a control opens may come later than its new state. */
function unlessHalfDone(judge: (attempt: Attempt) => Judge): Intent["judge"] {
  return (attempt) => {
    const { element } = attempt;
    const whole = judge(attempt);
    return (observation) => {
      attempt.isHalfDone = isHalfDone(element, observation);
      return attempt.isHalfDone ? undefined : whole(observation);
    };
  };
}

/** The press of a row or cell opens what it stands for. */
const pressUnlessOpens = byAction("press", ({ role }) => !entryRoles.has(role));

/** A box in its third state may still change. */
function judgeUnlessMixed(judge: Judge): Judge {
  return (observation) => (observation.target?.states.has("mixed") === true ? undefined : judge(observation));
}

/** Presses a toggle whatever its state. */
export function planToggle(element: Element): Result<Intent> {
  if (!isTwoState(element)) return fail(describeNoTwoStates(element, "toggle"));
  return succeed({
    chain: orderWays(element, [byAction("toggle"), pressUnlessOpens, byKey("space", " "), pointer]),
    judge: unlessHalfDone((attempt) => judgeToggle(attempt.element)),
    foresee: foreseePress,
    isRepeatable: false,
  });
}

function describeNoTwoStates(element: Element, verb: string): Failure {
  return makeFailure(
    "PATTERN_UNSUPPORTED",
    `${nameElement(element)} is neither on nor off: it cannot be ${verb}ed`,
    "deskmap click presses it; deskmap element N shows what the control with mark N offers.",
  );
}

const onStates: readonly State[] = ["checked", "pressed"];

/** A box in its third state is neither on nor off. */
function isOn({ states }: Element): boolean | undefined {
  return states.has("mixed") ? undefined : onStates.some((state) => states.has(state));
}

export function planCheck(element: Element, isWanted: boolean): Result<Intent> {
  if (!isTwoState(element) && !element.states.has("selectable")) {
    return fail(describeNoTwoStates(element, isWanted ? "check" : "uncheck"));
  }
  const words = isWanted ? "checked" : "not checked";
  const chain = [byAction("toggle"), pressUnlessOpens, bySelection(isWanted), byKey("space", " "), pointer];
  return succeed({
    chain: orderWays(element, chain),
    judge: confirmIf(
      (target) => isOn(target) === isWanted,
      `it is ${words}`,
      (before) => judgeUnlessMixed(judgeState(before, "checked", isWanted, words)),
    ),
    findDone: (found) => (isOn(found) === isWanted ? `it already was ${words}` : undefined),
    foresee: foreseePress,
    isRepeatable: true,
  });
}

export function planExpand(element: Element, isWanted: boolean): Intent {
  const words = isWanted ? "expanded" : "collapsed";
  if (element.role === "select" && !isOpenable(element)) return planOpenList(isWanted, words);
  const key = isWanted ? "Right" : "Left";
  const isTreeEntry = ({ role }: Element): boolean => role === "treeitem" || role === "cell" || role === "row";
  // Pressing a tree entry opens what it stands for and does not expand it.
  const isHandle = (element: Element): boolean => isOpenable(element) && !isTreeEntry(element);
  return {
    chain: [
      byAction("expand"),
      byAction("press", isHandle),
      byAction("toggle", isHandle),
      byInnerHandle,
      byKey(key.toLowerCase(), key, isTreeEntry),
      byPointerAndKey(key.toLowerCase(), key, isTreeEntry),
      { ...pointer, refuse: (element) => (isOpenable(element) ? undefined : "it neither expands nor collapses") },
    ],
    judge: (attempt) => judgeState(attempt.element, "expanded", isWanted, words),
    findDone: ({ states }) => {
      const isSo = isWanted ? states.has("expanded") : states.has("collapsed");
      return isSo ? `it already was ${words}` : undefined;
    },
    isRepeatable: false,
  };
}

/** A drop-down list that does not say whether it is open shows its choices while it is. */
function planOpenList(isWanted: boolean, words: string): Intent {
  const isOpen = ({ children, states }: Element): boolean =>
    states.has("pressed") ||
    flatten(children).some((child) => isPressedChoice(child) && child.clickPoint !== undefined);
  return {
    chain: [byAction("press"), byAction("toggle"), pointer],
    judge: confirmIf((target) => isOpen(target) === isWanted, `it is ${words}`, judgePress),
    findDone: (found) => (isOpen(found) === isWanted ? `it already was ${words}` : undefined),
    isRepeatable: false,
  };
}

/** A radio button may be reported as a check box. */
function isChosen(element: Element): boolean {
  const isMarked = (element.role === "radio" || element.role === "checkbox") && isOn(element) === true;
  return isMarked || element.states.has("selected");
}

export function planSelect(): Intent {
  return {
    chain: [
      bySelection(true),
      unlessInPopup(byAction("select")),
      byAction("pick", isPressedChoice),
      byAction("press", isPressedChoice),
      { ...pointer, refuse: (element) => (isEntry(element) ? undefined : "it is not one of several choices") },
    ],
    // Only a choice of a list that closes with it may be gone; a row that is selected says so.
    judge: unlessListCloses(
      confirmIf(isChosen, "it is selected", (before) =>
        isPressedChoice(before) ? judgeChosen(before) : judgeState(before, "selected", true, "selected"),
      ),
    ),
    findDone: async (element, attempt) => {
      const isDone = isChosen(element) && !(await isInPopup(attempt));
      return isDone ? "it already was selected" : undefined;
    },
    isRepeatable: true,
  };
}

export function planFocus(): Intent {
  return {
    chain: [byFocus, { ...pointer, refuse: refuseToClick }],
    judge: () => judgeFocus,
    isRepeatable: true,
  };
}

/** Only fields are clicked for the focus: a click would press everything else. */
function refuseToClick({ role }: Element): string | undefined {
  return fieldRoles.has(role) ? undefined : "a click would press it";
}

export function planAction(name: string): Intent {
  const foresee = (element: Element): Command => ({ kind: "invoke", element, action: name });
  return {
    chain: [byNamedAction(name)],
    judge: (attempt) => judgePress(attempt.element),
    foresee,
    isRepeatable: false,
  };
}
