import { containsBounds, containsPoint, type Point } from "../model/bounds.ts";
import type { Element, Placed } from "../model/element.ts";
import { kindOfRole, type Role } from "../model/role.ts";
import { repeats } from "./fold.ts";

/**
 * The element under a point, as deep as it says something of its own: a button, not the text in it that repeats its name.
 * What is in an open menu or list of choices lies over everything. Of other sisters that overlap, the later one is drawn
 * over the earlier; but many toolkits lay an empty box over everything, so one that says something, or can be acted on,
 * comes before one that does not.
 */
export function findDeepest(root: Element, point: Point): Placed | undefined {
  for (const isTaken of [isInOpenList, isTelling, () => true]) {
    const hit = descend(root, [], point, isTaken);
    if (hit !== undefined) return climb(hit);
  }
  return undefined;
}

type Test = (element: Element, ancestors: readonly Element[]) => boolean;

function descend(element: Element, ancestors: readonly Element[], point: Point, isTaken: Test): Placed | undefined {
  if (element.states.has("hidden")) return undefined;
  const inner = [...ancestors, element];
  // What is inside may reach out of it: a menu is not cut off at its button's edge.
  for (const child of element.children.toReversed()) {
    const hit = descend(child, inner, point, isTaken);
    if (hit !== undefined) return hit;
  }
  const isUnder = element.bounds !== undefined && containsPoint(element.bounds, point);
  return isUnder && isTaken(element, ancestors) ? { element, ancestors } : undefined;
}

const openLists: ReadonlySet<Role> = new Set<Role>(["menu", "select"]);

/** Entries are shown only while their menu or list is open. What a closed list of choices shows lies within its own edges. */
export function isInOpenList(element: Element, ancestors: readonly Element[]): boolean {
  const { bounds } = element;
  if (bounds === undefined || (!isTelling(element) && element.role !== "menu")) return false;
  return ancestors.some((list, depth) => {
    if (!openLists.has(list.role) || list.bounds === undefined) return false;
    // A menu reaches out of its name in the bar; GTK 4's out of the button that opened it. Chromium's list of choices is
    // a menu that holds them, in the box that opened it; Firefox's in a box of its own that has no place.
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

function isTelling({ role, name, value }: Element): boolean {
  const kind = kindOfRole(role);
  return kind === "control" || (kind === "text" && (name !== "" || value !== ""));
}
