import type { Command } from "../model/command.ts";
import type { Element } from "../model/element.ts";
import type { Role } from "../model/role.ts";
import type { State } from "../model/state.ts";
import { hasTrait } from "../model/trait.ts";
import { type Judge, judgeFocus, judgeMenu, judgePress, judgeState } from "./judge.ts";
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

/** What a click is for: a field gets the focus, an entry is chosen, everything else is pressed. */
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
/** An entry's "activate" is its double click: a single one only chooses it. */
const entryChain: readonly Way[] = [bySelection(true), pointer];
/** A link or a button in disguise: what cannot be selected and offers to be pressed. */
const pressedEntryChain: readonly Way[] = [byAction("press"), pointer];

/** For what is on the screen and may block its application when it is pressed through accessibility. */
const pointerFirstChain: readonly Way[] = [pointer, byAction("press")];

export function planClick(element: Element, pressing: Pressing): Intent {
  const isPlain = pressing.button === "left" && pressing.count === 1 && pressing.offset === undefined;
  const judge: Intent["judge"] = (stage) => judgePress(stage.element);
  if (pressing.button === "right")
    return { chain: [byPointer(pressing)], judge: (stage) => judgeMenu(stage.element), isRepeatable: false };
  if (!isPlain) return { chain: [byPointer(pressing)], judge, foresee: foreseePress, isRepeatable: false };
  if (fieldRoles.has(element.role)) {
    const isOn = element.states.has("focused");
    return { chain: isOn ? [pointer] : fieldChain, judge: () => judgeFocus(), isRepeatable: true };
  }
  if (entryRoles.has(element.role)) {
    const isSelectable = element.states.has("selectable");
    if (isSelectable && !element.states.has("selected")) {
      return {
        chain: entryChain,
        judge: (stage) => judgeChosen(stage.element),
        isRepeatable: true,
      };
    }
    return { chain: isSelectable ? [pointer] : pressedEntryChain, judge, foresee: foreseePress, isRepeatable: false };
  }
  const mayBlock = hasTrait(element, "action-may-block") && !element.states.has("hidden");
  return { chain: mayBlock ? pointerFirstChain : pressChain, judge, foresee: foreseePress, isRepeatable: false };
}

/** By whatever way: what it comes to is that it is pressed. */
function foreseePress(element: Element): Command {
  return { kind: "invoke", element, action: element.invocations.press ?? "press" };
}

/** An entry shows that it is chosen; one of a list of choices goes with the list, and what opened the list shows it. */
function judgeChosen(before: Element): Judge {
  const state = judgeState(before, "selected", true, "selected");
  const press = judgePress(before);
  // Then what comes up shows that it was chosen.
  const isReported = !hasTrait(before, "selection-unreported");
  return async (observation) => {
    const told = await state(observation);
    return told === undefined && (observation.isTargetGone || !isReported) ? press(observation) : told;
  };
}

/** Presses a toggle, whatever it is now. */
export function planToggle(): Intent {
  return {
    chain: [byAction("toggle"), byAction("press"), byKey("space", " "), pointer],
    judge: (stage) => judgePress(stage.element),
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
    judge: (stage) => (observation) => {
      const { target } = observation;
      if (target !== undefined && isOn(target) === isWanted)
        return { verdict: "confirmed", evidence: [`it is ${words}`] };
      return judgeState(stage.element, "checked", isWanted, words)(observation);
    },
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
  // Pressing an entry of a tree opens what it stands for, not the entry.
  const isHandle = (element: Element): boolean => openable(element) && !isTreeEntry(element);
  return {
    chain: [
      byAction("expand"),
      byAction("press", isHandle),
      byAction("toggle", isHandle),
      byInnerHandle,
      byKey(key.toLowerCase(), key, isTreeEntry),
      byPointerAndKey(key.toLowerCase(), key, isTreeEntry),
      { ...pointer, refuse: (element) => (openable(element) ? undefined : "it neither opens nor closes") },
    ],
    judge: (stage) => (observation) => {
      const { target } = observation;
      if (target?.states.has("expanded") === isWanted) return { verdict: "confirmed", evidence: [`it is ${words}`] };
      return judgeState(stage.element, "expanded", isWanted, words)(observation);
    },
    findDone: ({ states }) => {
      const isSo = isWanted ? states.has("expanded") : states.has("collapsed");
      return isSo ? `it already was ${words}` : undefined;
    },
    isRepeatable: false,
  };
}

/** A radio button may have the role of a check box. */
function isChosen(element: Element): boolean {
  const isMarked = (element.role === "radio" || element.role === "checkbox") && isOn(element);
  return isMarked || element.states.has("selected");
}

/** What is one of several; a button is not. */
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
      { ...pointer, refuse: (element) => (isEntry(element) ? undefined : "it is nothing that is chosen") },
    ],
    judge: (stage) => (observation) => {
      const { target } = observation;
      if (target !== undefined && isChosen(target)) return { verdict: "confirmed", evidence: ["it is selected"] };
      return judgeChosen(stage.element)(observation);
    },
    findDone: (element) => (isChosen(element) ? "it already was selected" : undefined),
    isRepeatable: true,
  };
}

export function planFocus(): Intent {
  return {
    chain: [byFocus, { ...pointer, refuse: refuseToClick }],
    judge: () => judgeFocus(),
    isRepeatable: true,
  };
}

/** Only fields are clicked for the focus: everything else would be pressed by it. */
function refuseToClick({ role }: Element): string | undefined {
  return fieldRoles.has(role) ? undefined : "a click would press it";
}

export function planAction(name: string): Intent {
  const foresee = (element: Element): Command => ({ kind: "invoke", element, action: name });
  return { chain: [byNamedAction(name)], judge: (stage) => judgePress(stage.element), foresee, isRepeatable: false };
}
