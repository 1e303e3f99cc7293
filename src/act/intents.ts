import type { Command } from "../model/command.ts";
import type { Element } from "../model/element.ts";
import type { Role } from "../model/role.ts";
import type { State } from "../model/state.ts";
import { hasTrait } from "../model/trait.ts";
import { confirm, type Judge, judgeFocus, judgeMenu, judgePress, judgeState } from "./judge.ts";
import type { Intent } from "./perform.ts";
import {
  byAction,
  byFocus,
  byInnerHandle,
  byKey,
  byNamedAction,
  byPointer,
  byPointerAndKey,
  bySelection,
  type Pressing,
  type Way,
} from "./ways.ts";

const leftClick: Pressing = { button: "left", count: 1 };
const pointer = byPointer(leftClick);

/** A click focuses a field, selects an entry and presses everything else. */
const fieldRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "document", "terminal", "web", "slider"]);
const entryRoles: ReadonlySet<Role> = new Set<Role>(["row", "cell", "item", "treeitem", "tab", "option", "icon"]);

const pressChain: readonly Way[] = [
  byAction("press"),
  byAction("toggle"),
  byAction("pick"),
  bySelection(true),
  byKey("space", " "),
  pointer,
];
const fieldChain: readonly Way[] = [byFocus, pointer];
/** The "activate" action of an entry is its double click; a single click only selects it. */
const entryChain: readonly Way[] = [bySelection(true), pointer];
/** An entry that cannot be selected but pressed is a link or button. */
const pressedEntryChain: readonly Way[] = [byAction("press"), pointer];

/** For visible controls whose accessible action may block the application. */
const pointerFirstChain: readonly Way[] = [pointer, byAction("press")];

export function planClick(element: Element, pressing: Pressing): Intent {
  const isPlain = pressing.button === "left" && pressing.count === 1 && pressing.offset === undefined;
  const judge: Intent["judge"] = (attempt) => judgePress(attempt.element);
  if (pressing.button === "right")
    return { chain: [byPointer(pressing)], judge: (attempt) => judgeMenu(attempt.element), isRepeatable: false };
  if (!isPlain) return { chain: [byPointer(pressing)], judge, foresee: foreseePress, isRepeatable: false };
  if (fieldRoles.has(element.role)) {
    const isOn = element.states.has("focused");
    return { chain: isOn ? [pointer] : fieldChain, judge: () => judgeFocus, isRepeatable: true };
  }
  if (entryRoles.has(element.role)) {
    const isSelectable = element.states.has("selectable");
    if (isSelectable && !element.states.has("selected")) {
      return {
        chain: entryChain,
        judge: (attempt) => judgeChosen(attempt.element),
        isRepeatable: true,
      };
    }
    return { chain: isSelectable ? [pointer] : pressedEntryChain, judge, foresee: foreseePress, isRepeatable: false };
  }
  const mayBlock = hasTrait(element, "action-may-block") && !element.states.has("hidden");
  return { chain: mayBlock ? pointerFirstChain : pressChain, judge, foresee: foreseePress, isRepeatable: false };
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

/** Presses a toggle whatever its state. */
export function planToggle(): Intent {
  return {
    chain: [byAction("toggle"), byAction("press"), byKey("space", " "), pointer],
    judge: (attempt) => judgePress(attempt.element),
    foresee: foreseePress,
    isRepeatable: false,
  };
}

const onStates: readonly State[] = ["checked", "pressed"];

function isOn({ states }: Element): boolean {
  return onStates.some((state) => states.has(state));
}

export function planCheck(isWanted: boolean): Intent {
  const words = isWanted ? "checked" : "not checked";
  return {
    chain: [byAction("toggle"), byAction("press"), bySelection(isWanted), byKey("space", " "), pointer],
    judge: confirmIf(
      (target) => isOn(target) === isWanted,
      `it is ${words}`,
      (before) => judgeState(before, "checked", isWanted, words),
    ),
    findDone: (element) => (isOn(element) === isWanted ? `it already was ${words}` : undefined),
    foresee: foreseePress,
    isRepeatable: true,
  };
}

const openable = ({ states }: Element): boolean => states.has("expanded") || states.has("collapsed");

export function planExpand(isWanted: boolean): Intent {
  const words = isWanted ? "expanded" : "collapsed";
  const key = isWanted ? "Right" : "Left";
  const isTreeEntry = ({ role }: Element): boolean => role === "treeitem" || role === "cell" || role === "row";
  // Pressing a tree entry opens what it stands for and does not expand it.
  const isHandle = (element: Element): boolean => openable(element) && !isTreeEntry(element);
  return {
    chain: [
      byAction("expand"),
      byAction("press", isHandle),
      byAction("toggle", isHandle),
      byInnerHandle,
      byKey(key.toLowerCase(), key, isTreeEntry),
      byPointerAndKey(key.toLowerCase(), key, isTreeEntry),
      { ...pointer, refuse: (element) => (openable(element) ? undefined : "it neither expands nor collapses") },
    ],
    judge: (attempt) => judgeState(attempt.element, "expanded", isWanted, words),
    findDone: ({ states }) => {
      const isSo = isWanted ? states.has("expanded") : states.has("collapsed");
      return isSo ? `it already was ${words}` : undefined;
    },
    isRepeatable: false,
  };
}

/** A radio button may be reported as a check box. */
function isChosen(element: Element): boolean {
  const isMarked = (element.role === "radio" || element.role === "checkbox") && isOn(element);
  return isMarked || element.states.has("selected");
}

/** Whether it is one of several alternatives. */
function isEntry({ role, states }: Element): boolean {
  return (
    entryRoles.has(role) || role === "radio" || role === "menuitem" || role === "checkbox" || states.has("selectable")
  );
}

export function planSelect(): Intent {
  return {
    chain: [
      bySelection(true),
      byAction("select"),
      byAction("pick"),
      byAction("press", isEntry),
      { ...pointer, refuse: (element) => (isEntry(element) ? undefined : "it is not one of several choices") },
    ],
    judge: confirmIf(isChosen, "it is selected", judgeChosen),
    findDone: (element) => (isChosen(element) ? "it already was selected" : undefined),
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
