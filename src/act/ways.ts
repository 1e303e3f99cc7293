import type { Action } from "../model/action.ts";
import type { Point } from "../model/bounds.ts";
import type { Button } from "../model/command.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Combo } from "../model/keys.ts";
import { quoteText } from "../model/plain-text.ts";
import type { Role } from "../model/role.ts";
import { isPixelSource } from "../model/source.ts";
import { prepareForPress } from "./press-pause.ts";
import type { Stage } from "./stage.ts";

/** One way of doing a thing. A chain is a list of them, the surest and quietest first. */
export interface Way {
  readonly name: string;
  /** Why it is not for this control; undefined when it is. */
  refuse(element: Element): string | undefined;
  /** Does it. PATTERN_UNSUPPORTED with nothing done sends on to the next way; any other failure ends the action. */
  take(stage: Stage): Promise<Result<void>>;
}

/** One of the actions that the control offers through accessibility. */
export function byAction(action: Action, isFor: (element: Element) => boolean = () => true): Way {
  return {
    name: `action ${action}`,
    refuse: (element) => {
      if (element.invocations[action] === undefined) return `it offers no such action`;
      return isFor(element) ? undefined : "for such a control it means something else";
    },
    take: (stage) => {
      const { element } = stage;
      return stage.deliver({ kind: "invoke", element, action: element.invocations[action] ?? "" });
    },
  };
}

/** The platform's own action of a given name. */
export function byNamedAction(name: string): Way {
  return {
    name: `action ${quoteText(name)}`,
    refuse: (element) => {
      const offered = element.platformActions.map((one) => quoteText(one)).join(", ") || "none";
      return element.platformActions.includes(name) ? undefined : `it offers ${offered}`;
    },
    take: (stage) => stage.deliver({ kind: "invoke", element: stage.element, action: name }),
  };
}

export function bySelection(isSelected: boolean): Way {
  return {
    name: isSelected ? "selection" : "deselection",
    refuse: ({ states }) => (states.has("selectable") ? undefined : "it cannot be selected"),
    take: (stage) => stage.deliver({ kind: "select", element: stage.element, isSelected }),
  };
}

/** The keyboard focus, in a window that is in front. */
export const byFocus: Way = {
  name: "focus",
  refuse: ({ states }) => (states.has("focusable") || states.has("focused") ? undefined : "it takes no focus"),
  take: async (stage) => {
    const raised = await stage.bringToFront();
    return raised.ok ? stage.deliver({ kind: "focus", element: stage.element }) : raised;
  },
};

const keyedRoles: ReadonlySet<Role> = new Set<Role>(["button", "toggle", "switch", "checkbox", "radio", "link"]);

/** The focus, and the key that does it: only once the focus is seen to be there, since keys go wherever it is. */
export function byKey(name: string, key: string, isFor = ({ role }: Element): boolean => keyedRoles.has(role)): Way {
  return {
    name: `focus and key ${name}`,
    refuse: (element) => {
      if (!isFor(element)) return "no key does it for such a control";
      if (element.states.has("haspopup")) return "it opens a menu, for which there is no common key";
      return element.states.has("focusable") || element.states.has("focused") ? undefined : "it takes no focus";
    },
    take: async (stage) => {
      const raised = await stage.bringToFront();
      if (!raised.ok) return raised;
      const focused = await stage.focusQuietly();
      if (!focused.ok) return focused;
      if (!focused.value) return fail(describeUnsupported(stage, "it did not take the focus"));
      return stage.deliver({ kind: "keys", combo: press(key) });
    },
  };
}

/** For entries that take the focus only from the pointer. */
export function byPointerAndKey(name: string, key: string, isFor: (element: Element) => boolean): Way {
  return {
    name: `click and key ${name}`,
    refuse: (element) => (isFor(element) ? undefined : "no key does it for such a control"),
    take: async (stage) => {
      const point = await prepareForPress(stage);
      if (!point.ok) return point;
      const command = { kind: "click" as const, point: point.value, button: "left" as const, count: 1 as const };
      const clicked = await stage.prepare(command, "it was clicked for the focus");
      if (!clicked.ok) return clicked;
      const isFocused = await stage.waitUntil(focusMs, () => stage.hasFocus());
      if (!isFocused) return fail(describeUnsupported(stage, "it did not take the focus"));
      return stage.deliver({ kind: "keys", combo: press(key) });
    },
  };
}

const focusMs = 600;

/** For entries of a tree that hold the button that opens them, and nothing else that can be pressed. */
export const byInnerHandle: Way = {
  name: "action press of the handle in it",
  refuse: (element) => {
    const isOpenable = element.states.has("expanded") || element.states.has("collapsed");
    return isOpenable && findHandle(element) !== undefined ? undefined : "it holds no handle";
  },
  take: (stage) => {
    const handle = findHandle(stage.element);
    const action = handle?.invocations.press ?? handle?.invocations.toggle;
    if (handle !== undefined && action !== undefined) return stage.deliver({ kind: "invoke", element: handle, action });
    return Promise.resolve(fail(describeUnsupported(stage, "it holds no handle")));
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
}

export function byPointer({ button, count, offset }: Pressing): Way {
  return {
    name: "pointer",
    refuse: () => undefined,
    take: async (stage) => {
      const point = await prepareForPress(stage, offset, button);
      if (!point.ok) return point;
      // What was seen until now came from getting ready.
      stage.watch.take();
      return stage.deliver({ kind: "click", point: point.value, button, count });
    },
  };
}

export function bySetText(text: string): Way {
  return {
    name: "editable text",
    refuse: ({ actions, role }) =>
      actions.includes("set") && !isNumeric(role) ? undefined : "it offers no editable text",
    take: (stage) => stage.deliver({ kind: "set-text", element: stage.element, text }),
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
    take: (stage) => stage.deliver({ kind: "set-number", element: stage.element, value: Number(text) }),
  };
}

const numericRoles: ReadonlySet<Role> = new Set<Role>(["slider", "spin", "scrollbar"]);

export function isNumeric(role: Role): boolean {
  return numericRoles.has(role);
}

const writableRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "document"]);

/** As a person would: the focus, everything selected, the new text typed over it. */
export function byTypingOver(text: string): Way {
  return {
    name: "focus, select all and type",
    refuse: ({ role, states }) => {
      if (states.has("readonly")) return "it is read-only";
      return states.has("editable") || writableRoles.has(role) ? undefined : "it is no field";
    },
    take: async (stage) => {
      const focused = await takeFocus(stage);
      if (!focused.ok) return focused;
      const selected = await stage.deliver({ kind: "keys", combo: { modifiers: ["ctrl"], key: "a" } });
      if (!selected.ok) return selected;
      if (text === "") return stage.deliver({ kind: "keys", combo: press("Delete") });
      return stage.deliver({ kind: "type", text, delayMs: 0 });
    },
  };
}

const typedRoles: ReadonlySet<Role> = new Set<Role>(["input", "spin", "document", "terminal", "web"]);

/** The keyboard focus by accessibility, else by a click: what is typed next must not go elsewhere. */
export async function takeFocus(stage: Stage): Promise<Result<void>> {
  const raised = await stage.bringToFront();
  if (!raised.ok) return raised;
  const focused = await stage.focusQuietly();
  if (!focused.ok) return focused;
  if (focused.value) return succeed(undefined);
  const { role, source, states } = stage.element;
  // A picture does not tell a field from a text.
  const isField = states.has("editable") || typedRoles.has(role) || (isPixelSource(source) && role !== "button");
  if (!isField) return fail(describeUnsupported(stage, "it took no focus, and a click would press it"));
  const point = await prepareForPress(stage);
  if (!point.ok) return point;
  const clicked = await stage.prepare(
    { kind: "click", point: point.value, button: "left", count: 1 },
    "it was clicked for the focus",
  );
  if (!clicked.ok) return clicked;
  await stage.watch.waitForStillness(20, 300);
  return succeed(undefined);
}

function press(key: string): Combo {
  return { modifiers: [], key };
}

function describeUnsupported(stage: Stage, why: string): Failure {
  return stage.describe("PATTERN_UNSUPPORTED", why, "deskmap at tells what the control offers.");
}
