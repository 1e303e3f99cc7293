import { type Bounds, centreOf, containsPoint } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";

/**
 * Qt reports a closed combo box list as showing at its old position. It counts as open only if a pop-up of the
 * application is on the screen there; otherwise a click would hit what is below it.
 */
export function hideClosedLists(element: Element, popups: readonly Bounds[]): Element {
  const children = element.children.map((child) => {
    const isClosed = element.role === "select" && child.children.length > 0 && !isOpen(child, popups);
    return isClosed ? hide(child) : hideClosedLists(child, popups);
  });
  return { ...element, children };
}

function isOpen(list: Element, popups: readonly Bounds[]): boolean {
  return flatten(list.children).some(({ bounds }) => {
    return bounds !== undefined && popups.some((popup) => containsPoint(popup, centreOf(bounds)));
  });
}

function hide(element: Element): Element {
  const states = new Set([...element.states, "hidden" as const]);
  return { ...element, states, clickPoint: undefined, children: element.children.map(hide) };
}
