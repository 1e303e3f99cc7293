import { containsPoint, type Point } from "../model/bounds.ts";
import type { Element, Placed } from "../model/element.ts";
import { kindOfRole } from "../model/role.ts";

/**
 * The deepest element under a point. Of sisters that overlap, the later one is drawn over the earlier; but many toolkits
 * lay an empty box over everything, so one that says something, or can be acted on, comes before one that does not.
 */
export function findDeepest(root: Element, point: Point): Placed | undefined {
  return descend(root, [], point, isTelling) ?? descend(root, [], point, () => true);
}

function descend(
  element: Element,
  ancestors: readonly Element[],
  point: Point,
  isTaken: (element: Element) => boolean,
): Placed | undefined {
  if (element.states.has("hidden")) return undefined;
  const inner = [...ancestors, element];
  // What is inside may reach out of it: a menu is not cut off at its button's edge.
  for (const child of element.children.toReversed()) {
    const hit = descend(child, inner, point, isTaken);
    if (hit !== undefined) return hit;
  }
  const isUnder = element.bounds !== undefined && containsPoint(element.bounds, point);
  return isUnder && isTaken(element) ? { element, ancestors } : undefined;
}

function isTelling({ role, name, value }: Element): boolean {
  const kind = kindOfRole(role);
  return kind === "control" || (kind === "text" && (name !== "" || value !== ""));
}
