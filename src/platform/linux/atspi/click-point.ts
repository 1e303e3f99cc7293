import { type Bounds, centreOf, containsPoint, intersect, type Point } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";
import { kindOfRole, type Role } from "../../../model/role.ts";
import type { State } from "../../../model/state.ts";

/** Narrower strips cannot be hit reliably. */
const minStrip = 8;

/** Where to click: the centre of the visible part, unless something else would be hit there. */
export function findClickPoint(
  role: Role,
  states: ReadonlySet<State>,
  bounds: Bounds,
  visible: Bounds,
  children: readonly Element[],
): Point | undefined {
  const part = intersect(bounds, visible);
  if (part === undefined) return undefined;
  if (role === "select")
    return (
      findBeside(
        part,
        placesOf(children, ({ states }) => states.has("editable")),
      ) ?? centreOf(part)
    );
  const canExpand = states.has("expanded") || states.has("collapsed");
  if (canExpand && (role === "toggle" || role === "button")) return findHandle(role, part, children);
  return centreOf(part);
}

/** The centre of an expander is its content. GTK reacts only to the arrow and label at the start of its first line. */
function findHandle(role: Role, part: Bounds, children: readonly Element[]): Point {
  const content = placesOf(children, isContent);
  const isOpen = content.some((box) => containsPoint(box, centreOf(part)));
  if (!isOpen && role === "button") return centreOf(part);
  const top = Math.min(...content.map((box) => box.y), part.y + part.height);
  const height = isOpen && top - part.y >= minStrip ? top - part.y : part.height;
  const line = { ...part, height, width: Math.min(part.width, height) };
  return centreOf(line);
}

/** The centre of a combo box may be its field: the part that opens it is beside that. */
function findBeside(part: Bounds, fields: readonly Bounds[]): Point | undefined {
  const field = fields.find((box) => containsPoint(box, centreOf(part)));
  if (field === undefined) return undefined;
  const right = field.x + field.width;
  const strips = [
    { ...part, x: right, width: part.x + part.width - right },
    { ...part, width: field.x - part.x },
  ];
  const widest = strips.filter(({ width }) => width >= minStrip).sort((a, b) => b.width - a.width)[0];
  return widest && centreOf(widest);
}

function placesOf(children: readonly Element[], isWanted: (child: Element) => boolean): Bounds[] {
  return flatten(children).flatMap((child) => {
    return child.bounds === undefined || child.states.has("hidden") || !isWanted(child) ? [] : [child.bounds];
  });
}

/** Something that can be acted on or scrolled; an expander's own label is neither. */
function isContent({ role }: Element): boolean {
  return kindOfRole(role) === "control" || role === "scroll" || role === "list" || role === "table";
}
