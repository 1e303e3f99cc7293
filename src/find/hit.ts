import { containsBounds, containsPoint, type Point } from "../model/bounds.ts";
import type { Element, Placed } from "../model/element.ts";
import { kindOfRole, type Role } from "../model/role.ts";
import { repeats } from "./fold.ts";

/**
 * Finds the deepest element at a point that carries information of its own: a button rather than the text that repeats
 * its name. Open menus and drop-down lists are on top. Of overlapping siblings the later one is drawn on top; but an
 * empty box often covers everything, so elements with content or actions come first.
 */
export function findDeepest(root: Element, point: Point): Placed | undefined {
  for (const isTaken of [isInOpenList, hasContent, () => true]) {
    const hit = descend(root, [], point, isTaken);
    if (hit !== undefined) return climb(hit);
  }
  return undefined;
}

type Test = (element: Element, ancestors: readonly Element[]) => boolean;

function descend(element: Element, ancestors: readonly Element[], point: Point, isTaken: Test): Placed | undefined {
  if (element.states.has("hidden")) return undefined;
  const inner = [...ancestors, element];
  // Children may extend beyond their parent: a menu is not clipped to its button.
  for (const child of element.children.toReversed()) {
    const hit = descend(child, inner, point, isTaken);
    if (hit !== undefined) return hit;
  }
  const isUnder = element.bounds !== undefined && containsPoint(element.bounds, point);
  return isUnder && isTaken(element, ancestors) ? { element, ancestors } : undefined;
}

const openLists: ReadonlySet<Role> = new Set<Role>(["menu", "select"]);

const openers: ReadonlySet<Role> = new Set<Role>(["button", "toggle"]);

/** Entries are shown only while their menu or list is open. A closed list's entry lies within its bounds. */
export function isInOpenList(element: Element, ancestors: readonly Element[]): boolean {
  const { bounds } = element;
  if (bounds === undefined || (!hasContent(element) && element.role !== "menu")) return false;
  // A tree may have no menu between a button and its entries.
  const isBeyond = (opener: Element): boolean =>
    openers.has(opener.role) && opener.bounds !== undefined && !containsBounds(opener.bounds, bounds);
  if (element.role === "menuitem" && ancestors.some(isBeyond)) return true;
  return ancestors.some((list, depth) => {
    if (!openLists.has(list.role) || list.bounds === undefined) return false;
    // A menu extends beyond its name in the menu bar or the button that opened it. A drop-down list may be a menu inside
    // the box that opened it, or inside a box without bounds.
    const opener = ancestors[depth - 1];
    const isOut =
      opener?.bounds === undefined ? opener?.states.has("expanded") : !containsBounds(opener.bounds, list.bounds);
    return isOut === true || !containsBounds(list.bounds, bounds);
  });
}

function climb(hit: Placed): Placed {
  const parent = hit.ancestors.at(-1);
  if (parent === undefined || !repeats(hit.element, parent)) return hit;
  return climb({ element: parent, ancestors: hit.ancestors.slice(0, -1) });
}

function hasContent({ role, name, value }: Element): boolean {
  const kind = kindOfRole(role);
  return kind === "control" || (kind === "text" && (name !== "" || value !== ""));
}
