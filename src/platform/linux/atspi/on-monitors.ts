import { areaOf, type Bounds, centreOf, containsPoint, intersect } from "../../../model/bounds.ts";
import type { Element } from "../../../model/element.ts";

/**
 * Monitors of different sizes leave parts of the screen that no monitor shows and no pointer reaches. Elements there
 * are hidden; partly visible ones are clicked where a monitor shows most of them.
 */
export function keepOnMonitors(root: Element, monitors: readonly Bounds[], visible: Bounds, screen: Bounds): Element {
  const isWhole = monitors.length === 0 || monitors.some((monitor) => holds(monitor, visible));
  // A menu may extend beyond its window.
  if (isWhole && root.children.every(({ role }) => role !== "menu")) return root;
  const keep = (element: Element, outer: Bounds): Element => {
    const { bounds, clickPoint, role } = element;
    const seen = role === "menu" ? screen : outer;
    const inner = role === "scroll" && bounds !== undefined ? (intersect(bounds, seen) ?? seen) : seen;
    const children = element.children.map((child) => keep(child, inner));
    if (clickPoint === undefined || bounds === undefined) return { ...element, children };
    if (monitors.some((monitor) => containsPoint(monitor, clickPoint))) return { ...element, children };
    const part = findLargestPart(intersect(bounds, seen), monitors);
    if (part !== undefined) return { ...element, clickPoint: centreOf(part), children };
    return { ...element, clickPoint: undefined, states: new Set([...element.states, "hidden" as const]), children };
  };
  return keep(root, visible);
}

/** Removes hidden elements without visible descendants. */
export function dropHidden(element: Element): Element {
  const children = element.children.map(dropHidden);
  return { ...element, children: children.filter((child) => !child.states.has("hidden") || child.children.length > 0) };
}

function findLargestPart(bounds: Bounds | undefined, monitors: readonly Bounds[]): Bounds | undefined {
  if (bounds === undefined) return undefined;
  return monitors.flatMap((monitor) => intersect(bounds, monitor) ?? []).sort((a, b) => areaOf(b) - areaOf(a))[0];
}

function holds(outer: Bounds, inner: Bounds): boolean {
  const shared = intersect(outer, inner);
  return shared?.width === inner.width && shared.height === inner.height;
}
