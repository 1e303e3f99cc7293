import { type Element, flatten } from "../model/element.ts";
import type { Order } from "../model/order.ts";
import type { Role } from "../model/role.ts";

const valueRoles: ReadonlySet<Role> = new Set<Role>(["input", "select", "spin", "slider", "document", "terminal"]);
const twoStateRoles: ReadonlySet<Role> = new Set<Role>(["checkbox", "radio", "switch", "toggle"]);
export const entryRoles: ReadonlySet<Role> = new Set<Role>([
  "row",
  "cell",
  "item",
  "treeitem",
  "tab",
  "option",
  "icon",
]);

/** Choices that a press selects. A press of any other entry opens it, or the one that was selected before. */
const pressedChoices: ReadonlySet<Role> = new Set<Role>(["radio", "menuitem", "checkbox", "option", "tab"]);

export function isPressedChoice({ role }: Element): boolean {
  return pressedChoices.has(role);
}

function holdsValue({ role, states }: Element): boolean {
  return valueRoles.has(role) || states.has("editable");
}

/** The field of a drop-down list in which one may also write. */
export function findInnerField({ children, role }: Element): Element | undefined {
  if (role !== "select") return undefined;
  const fields = flatten(children).filter(({ role, states }) => role === "input" && states.has("editable"));
  return fields.length === 1 ? fields[0] : undefined;
}

/** Whether it can be on or off. A menu entry, a row or a button of any role may be checkable. */
export function isTwoState({ role, states, actions }: Element): boolean {
  return twoStateRoles.has(role) || states.has("checkable") || states.has("checked") || actions.includes("toggle");
}

export function isOpenable({ states }: Element): boolean {
  return states.has("expanded") || states.has("collapsed");
}

/** Whether it is one of several alternatives. */
export function isEntry(element: Element): boolean {
  return entryRoles.has(element.role) || isPressedChoice(element) || element.states.has("selectable");
}

/** What an order can be meant for; any control if it is not listed. */
const suiting: { readonly [Kind in Order["kind"]]?: (element: Element) => boolean } = {
  "set-value": holdsValue,
  type: holdsValue,
  "fill-secret": ({ states }) => states.has("secret"),
  toggle: isTwoState,
  check: isTwoState,
  uncheck: isTwoState,
  expand: isOpenable,
  collapse: isOpenable,
  select: isEntry,
};

export function findSuiting(order: Order["kind"] | undefined): ((element: Element) => boolean) | undefined {
  return order && suiting[order];
}
