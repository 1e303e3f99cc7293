import { type Bounds, centreOf, containsPoint, intersect, type Point } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Role } from "../model/role.ts";

/** Roles that react to a press themselves, even inside another control. */
const pressable: ReadonlySet<Role> = new Set<Role>([
  "button",
  "toggle",
  "switch",
  "checkbox",
  "radio",
  "link",
  "input",
  "select",
  "slider",
  "spin",
  "menu",
  "menuitem",
  "tab",
]);

/** Roles that a press selects; a cell is selected with its row. */
const choosable: ReadonlySet<Role> = new Set<Role>(["option", "treeitem", "row", "cell", "header", "icon", "item"]);

const gridSteps = 7;

/** The controls inside this one that would receive a press on them. One of the same name is its face: a tab's link. */
export function findInnerControls(element: Element): Element[] {
  const isEntry = choosable.has(element.role);
  return flatten(element.children).filter(({ role, name, states, bounds }) => {
    const isOwn = pressable.has(role) || (choosable.has(role) && !isEntry);
    const isFace = name !== "" && name === element.name;
    return isOwn && !isFace && bounds !== undefined && !states.has("hidden");
  });
}

/**
 * A point that presses the element and no control inside it: its own click point, else the middle of a text in it, else
 * the first free point of a grid. A row with a button in its middle is pressed beside that button. Undefined if no point
 * is free.
 */
export function findOwnPoint(element: Element, visible: Bounds): Point | undefined {
  const { bounds, clickPoint } = element;
  const inner = findInnerControls(element);
  const isFree = (point: Point): boolean => !inner.some((one) => one.bounds && containsPoint(one.bounds, point));
  if (clickPoint !== undefined && isFree(clickPoint)) return clickPoint;
  const seen = bounds && intersect(bounds, visible);
  if (clickPoint === undefined || seen === undefined) return undefined;
  const texts = flatten(element.children).flatMap(({ bounds: place, states }) => {
    const part = place && !states.has("hidden") ? intersect(place, seen) : undefined;
    return part === undefined ? [] : [centreOf(part)];
  });
  return [...texts, ...listGrid(seen)].find(isFree);
}

function listGrid({ x, y, width, height }: Bounds): Point[] {
  const steps = Array.from({ length: gridSteps }, (_, step) => (step + 0.5) / gridSteps);
  return steps.flatMap((down) =>
    steps.map((along) => ({ x: x + Math.floor(width * along), y: y + Math.floor(height * down) })),
  );
}
