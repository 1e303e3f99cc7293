import { type Bounds, centreOf, clickPointOf, containsPoint, intersect, type Point } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";
import { kindOfRole, type Role } from "../../../model/role.ts";
import type { State } from "../../../model/state.ts";

/**
 * Where to press: the middle, unless something else would be hit there. An expander's middle is its content, and that of
 * a combo box with a field is the field: then it is the middle of the largest strip beside what is inside.
 */
export function findClickPoint(
  role: Role,
  states: ReadonlySet<State>,
  bounds: Bounds,
  visible: Bounds,
  children: readonly Element[],
): Point | undefined {
  const middle = clickPointOf(bounds, visible);
  const isControl = kindOfRole(role) === "control";
  if (middle === undefined || children.length === 0 || !isControl) return middle;
  const isExpander = (role === "toggle" || role === "button") && states.has("expanded");
  if (!isExpander && role !== "select") return middle;
  const inside = flatten(children).filter((child) => (isExpander ? isContent(child) : child.states.has("editable")));
  const shown = inside.flatMap((child) => (child.states.has("hidden") || !child.bounds ? [] : [child.bounds]));
  if (!shown.some((box) => containsPoint(box, middle))) return middle;
  const part = intersect(bounds, visible);
  const strip = part && findLargestStrip(part, shown);
  return strip === undefined ? middle : centreOf(strip);
}

/** What can be acted on, or scrolled: an expander's own label is neither. */
function isContent(child: Element): boolean {
  return (
    kindOfRole(child.role) === "control" || child.role === "scroll" || child.role === "list" || child.role === "table"
  );
}

function findLargestStrip(whole: Bounds, boxes: readonly Bounds[]): Bounds | undefined {
  const left = Math.min(...boxes.map((box) => box.x));
  const top = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const { x, y, width, height } = whole;
  const above = { ...whole, height: top - y };
  // What opens and closes is at the top.
  if (above.height >= 8) return above;
  const others = [
    { ...whole, x: right, width: x + width - right },
    { ...whole, width: left - x },
    { ...whole, y: bottom, height: y + height - bottom },
  ];
  return others
    .filter((strip) => strip.width >= 8 && strip.height >= 8)
    .sort((a, b) => b.width * b.height - a.width * a.height)[0];
}
