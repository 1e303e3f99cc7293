import type { Action } from "../model/action.ts";
import type { Point } from "../model/bounds.ts";
import type { Button, Command } from "../model/command.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { Combo } from "../model/keys.ts";
import { nameElement } from "../model/observed.ts";
import { quoteText } from "../model/plain-text.ts";
import type { Role } from "../model/role.ts";
import { isPixelSource } from "../model/source.ts";
import { type Attempt, frontMs } from "./attempt.ts";
import { takeKeyboard } from "./keyboard.ts";
import { isInPopup } from "./popups.ts";
import { prepareForPress } from "./readiness.ts";
import { findReadyPoint } from "./ready-point.ts";
import { findCell } from "./sheet.ts";

/** One method of carrying out an order. A chain is a list of them, the surest and quietest first. */
export interface Way {
  readonly name: string;
  /** Why it does not suit this control; undefined if it does. */
  refuse?(element: Element): string | undefined;
  /** Whether taking it once more takes it back where it only turned the control on. */
  readonly isReversible?: boolean;
  /** PATTERN_UNSUPPORTED before anything was done leads to the next way; any other failure ends the action. */
  take(attempt: Attempt): Promise<Result<void>>;
}

/** One of the actions the control offers through accessibility. */
export function byAction(action: Action, isFor: (element: Element) => boolean = () => true): Way {
  return {
    name: `action ${action}`,
    isReversible: true,
    refuse: (element) => {
      if (element.invocations[action] === undefined) return "it offers no such action";
      return isFor(element) ? undefined : "for such a control it means something else";
    },
    take: (attempt) => {
      const { element } = attempt;
      return attempt.deliver({ kind: "invoke", element, action: element.invocations[action] ?? "" });
    },
  };
}

/** One of the platform's own actions, by name. */
export function byNamedAction(name: string): Way {
  return {
    name: `action ${quoteText(name)}`,
    refuse: (element) => {
      const offered = element.platformActions.map((one) => quoteText(one)).join(", ") || "none";
      return element.platformActions.includes(name) ? undefined : `it offers ${offered}`;
    },
    take: (attempt) => attempt.deliver({ kind: "invoke", element: attempt.element, action: name }),
  };
}

export function bySelection(isSelected: boolean): Way {
  return unlessInPopup({
    name: isSelected ? "selection" : "deselection",
    refuse: ({ states }) => (states.has("selectable") ? undefined : "it cannot be selected"),
    take: (attempt) => attempt.deliver({ kind: "select", element: attempt.element, isSelected }),
  });
}

/** Selecting an entry of an open drop-down list only highlights it, or leaves the list open; a press chooses it. */
export function unlessInPopup(way: Way): Way {
  return {
    ...way,
    take: async (attempt) =>
      (await isInPopup(attempt))
        ? refuseUnsupported(attempt, "only a press chooses from an open list")
        : way.take(attempt),
  };
}

const listRoles: ReadonlySet<Role> = new Set<Role>(["list", "table", "tree"]);

/**
 * In some sheets and lists, a selection leaves the cursor where it is: the next keys would go to another
 * entry than the one that was clicked. Tab and Return stay in what is selected in a sheet: what is typed
 * next would replace the cell that was clicked.
 */
export function unlessKeysSuffer(way: Way): Way {
  return {
    ...way,
    take: async (attempt) => {
      if (isOtherCurrent(attempt))
        return refuseUnsupported(attempt, "keys would go to another entry, which is the current one");
      if (isSheetCell(attempt.element)) return refuseUnsupported(attempt, "it would not move the cursor of the sheet");
      return way.take(attempt);
    },
  };
}

export function isCurrentCell(element: Element): boolean {
  return element.states.has("focused") && isSheetCell(element);
}

/** The read may have missed which cell is the current one. */
function isSheetCell(element: Element): boolean {
  return element.role === "cell" && !element.states.has("hidden") && findCell(element) !== undefined;
}

function isOtherCurrent({ element, sighting }: Attempt): boolean {
  const list = sighting.placed.ancestors.findLast(({ role }) => listRoles.has(role));
  if (list === undefined || element.states.has("hidden")) return false;
  const own = new Set(flatten([element]));
  const others = flatten(list.children).filter((one) => !own.has(one) && !flatten([one]).includes(element));
  return !element.states.has("focused") && others.some(({ states }) => states.has("focused"));
}

/** Sets the keyboard focus, with the window in front. */
export const byFocus: Way = {
  name: "focus",
  refuse: ({ states }) => (states.has("focusable") || states.has("focused") ? undefined : "it takes no focus"),
  take: async (attempt) => {
    const raised = await takeKeyboard(attempt);
    return raised.ok ? attempt.deliver({ kind: "focus", element: attempt.element }) : raised;
  },
};

const keyedRoles: ReadonlySet<Role> = new Set<Role>(["button", "toggle", "switch", "checkbox", "radio", "link"]);

/** Sets the focus, then presses a key. The focus is verified first, because keys go to whatever has it. */
export function byKey(name: string, key: string, isFor = ({ role }: Element): boolean => keyedRoles.has(role)): Way {
  return {
    name: `focus and key ${name}`,
    refuse: (element) => {
      if (!isFor(element)) return "no key does it for such a control";
      if (element.states.has("haspopup")) return "it opens a menu, for which there is no common key";
      return element.states.has("focusable") || element.states.has("focused") ? undefined : "it takes no focus";
    },
    take: async (attempt) => {
      const raised = await takeKeyboard(attempt);
      if (!raised.ok) return raised;
      const focused = await attempt.focusQuietly();
      if (!focused.ok) return focused;
      if (!focused.value) return refuseUnsupported(attempt, "it did not take the focus");
      return attempt.deliver({ kind: "keys", combo: press(key) });
    },
  };
}

/** For list entries that take the focus only from the pointer. */
export function byPointerAndKey(name: string, key: string, isFor: (element: Element) => boolean): Way {
  return {
    name: `click and key ${name}`,
    refuse: (element) => (isFor(element) ? undefined : "no key does it for such a control"),
    take: async (attempt) => {
      const clicked = await clickForFocus(attempt);
      if (!clicked.ok) return clicked;
      const isFocused = await attempt.waitUntil(focusMs, () => attempt.hasFocus());
      if (!isFocused) return refuseUnsupported(attempt, "it did not take the focus");
      return attempt.deliver({ kind: "keys", combo: press(key) });
    },
  };
}

const focusMs = 600;

/** For tree entries that contain the button that expands them, and nothing else that can be pressed. */
export const byInnerHandle: Way = {
  name: "action press of the handle in it",
  refuse: (element) => {
    const isOpenable = element.states.has("expanded") || element.states.has("collapsed");
    return isOpenable && findHandle(element) !== undefined ? undefined : "it holds no handle";
  },
  take: (attempt) => {
    const handle = findHandle(attempt.element);
    const action = handle?.invocations.press ?? handle?.invocations.toggle;
    if (handle !== undefined && action !== undefined)
      return attempt.deliver({ kind: "invoke", element: handle, action });
    return Promise.resolve(refuseUnsupported(attempt, "it holds no handle"));
  },
};

function findHandle(element: Element): Element | undefined {
  const handles = flatten(element.children).filter(
    ({ invocations }) => (invocations.press ?? invocations.toggle) !== undefined,
  );
  return handles.length === 1 ? handles[0] : undefined;
}

export interface Pressing {
  readonly button: Button;
  readonly count: 1 | 2 | 3;
  /** Within the control, from its upper left corner. */
  readonly offset?: Point | undefined;
  readonly isByPointer?: boolean | undefined;
}

export function byPointer({ button, count, offset }: Pressing): Way {
  return {
    name: "pointer",
    take: async (attempt) => {
      const point = await prepareForPress(attempt, offset, button);
      if (!point.ok) return point;
      // Signs until now came from the preparation.
      attempt.watch.take();
      return attempt.deliver({ kind: "click", point: point.value, button, count });
    },
  };
}

/** Where the pointer presses as quietly as the control's action would. */
export const byReadyPointer: Way = {
  name: "pointer",
  refuse: ({ clickPoint }) => (clickPoint === undefined ? "it is not in view" : undefined),
  take: async (attempt) => {
    const point = await findReadyPoint(attempt);
    if (!point.ok) return point;
    attempt.watch.take();
    return attempt.deliver({ kind: "click", point: point.value, button: "left", count: 1 });
  },
};

export function bySetText(text: string): Way {
  return {
    name: "editable text",
    refuse: ({ actions, role }) =>
      actions.includes("set") && !isNumeric(role) ? undefined : "it offers no editable text",
    take: (attempt) => attempt.deliver({ kind: "set-text", element: attempt.element, text }),
  };
}

export function bySetNumber(text: string): Way {
  return {
    name: "value",
    refuse: ({ actions, role, states }) => {
      if (!isNumeric(role) || !actions.includes("set")) return "it has no number to set";
      const isNumber = text.trim() !== "" && Number.isFinite(Number(text));
      return isNumber ? undefined : `${states.has("secret") ? "that" : JSON.stringify(text)} is no number`;
    },
    take: (attempt) => attempt.deliver({ kind: "set-number", element: attempt.element, value: Number(text) }),
  };
}

const numericRoles: ReadonlySet<Role> = new Set<Role>(["slider", "spin", "scrollbar"]);

export function isNumeric(role: Role): boolean {
  return numericRoles.has(role);
}

const writableRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "document"]);

/** As a person does it: focus, select everything, type over it. */
export function byTypingOver(text: string, delayMs = 0): Way {
  return {
    name: "focus, select all and type",
    refuse: (element) => {
      const { role, states } = element;
      if (states.has("readonly")) return "it is read-only";
      if (role === "cell") return findCell(element) === undefined ? "it is no field" : undefined;
      return states.has("editable") || writableRoles.has(role) ? undefined : "it is no field";
    },
    take: async (attempt) => {
      if (attempt.element.role === "cell") return typeOverCell(attempt, text, delayMs);
      const focused = await takeFocus(attempt);
      if (!focused.ok) return focused;
      const selected = await attempt.deliver({ kind: "keys", combo: { modifiers: ["ctrl"], key: "a" } });
      if (!selected.ok) return selected;
      if (text === "") return attempt.deliver({ kind: "keys", combo: press("Delete") });
      return attempt.deliver({ kind: "type", text, delayMs });
    },
  };
}

/**
 * In a sheet, "select all" selects every cell, and Delete clears all that are selected: a click selects this one alone.
 * The sheet may move its cursor later than the next keys arrive, so that they would go to another cell. Behind a typed
 * text, Delete removes only what the sheet has completed by itself.
 */
async function typeOverCell(attempt: Attempt, text: string, delayMs: number): Promise<Result<void>> {
  const raised = await takeKeyboard(attempt);
  if (!raised.ok) return raised;
  const clicked = await clickForFocus(attempt);
  if (!clicked.ok) return clicked;
  const { desktop, element, timeoutMs } = attempt;
  const isCurrent = await attempt.waitUntil(frontMs, async () => {
    const glimpse = await desktop.platform.glimpse(element, timeoutMs);
    const states = glimpse.ok ? glimpse.value?.states : undefined;
    return states?.has("focused") === true && !states.has("selected");
  });
  if (!isCurrent) {
    const message = `the cursor of the sheet did not move to ${nameElement(element)}, so nothing was typed`;
    return attempt.refuse("FAILED", message, attempt.suggestLooking());
  }
  const typed: readonly Command[] = text === "" ? [] : [{ kind: "type", text, delayMs }];
  const keys = text === "" ? ["Delete"] : ["Delete", "Return"];
  for (const command of [...typed, ...keys.map((key) => ({ kind: "keys", combo: press(key) }) as const)]) {
    const done = await attempt.deliver(command);
    if (!done.ok) return done;
  }
  return succeed(undefined);
}

const typedRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "document", "terminal", "web"]);

/** Focuses the control through accessibility, else with a click, so that keys go nowhere else. */
export async function takeFocus(attempt: Attempt): Promise<Result<void>> {
  const raised = await takeKeyboard(attempt);
  if (!raised.ok) return raised;
  const focused = await attempt.focusQuietly();
  if (!focused.ok) return focused;
  if (focused.value) return succeed(undefined);
  const { role, source, states } = attempt.element;
  // In a picture, a field cannot be distinguished from a text.
  const isField = states.has("editable") || typedRoles.has(role) || (isPixelSource(source) && role !== "button");
  if (!isField) return refuseUnsupported(attempt, "it took no focus, and a click would press it");
  const clicked = await clickForFocus(attempt);
  if (!clicked.ok) return clicked;
  await attempt.watch.waitForStillness(20, 300);
  const isTold = states.has("focusable") && (role === "input" || role === "spin");
  if (!isTold || (await attempt.waitUntil(focusMs, () => attempt.hasFocus()))) return clicked;
  // A list that was just closing has taken the click, or the focus back.
  return clickForFocus(attempt);
}

async function clickForFocus(attempt: Attempt): Promise<Result<void>> {
  const point = await prepareForPress(attempt);
  if (!point.ok) return point;
  const command = { kind: "click", point: point.value, button: "left", count: 1 } as const;
  return attempt.prepare(command, "it was clicked for the focus");
}

function press(key: string): Combo {
  return { modifiers: [], key };
}

function refuseUnsupported(attempt: Attempt, why: string): Result<never> {
  return attempt.refuse("PATTERN_UNSUPPORTED", why, attempt.suggestLooking());
}
