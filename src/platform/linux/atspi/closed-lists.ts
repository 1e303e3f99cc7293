import { type Bounds, centreOf, containsPoint } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";

/**
 * Qt goes on telling that the list of a combo box shows, at its old place, after it was closed. It shows only where a pop-up
 * of the application is on the screen; what would be pressed there otherwise lies below it.
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
