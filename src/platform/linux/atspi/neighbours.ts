import type { Bounds } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";
import { kindOfRole, type Role } from "../../../model/role.ts";
import { isSecretLabel } from "../../../model/secrets.ts";

const labelled: ReadonlySet<Role> = new Set<Role>([
  "input",
  "select",
  "spin",
  "slider",
  "switch",
  "checkbox",
  "list",
  "table",
]);
/**
 * Named by a text only if the two are alone on a line and apart, as in a row of settings. A button close to a text acts
 * on it, for example to close a tab.
 */
const paired: ReadonlySet<Role> = new Set<Role>([...labelled, "button", "toggle", "radio"]);
const maxGap = 60;
const maxGapAbove = 30;

/**
 * Many forms place a label beside a field without an accessible relation (zenity's do). The text to the left on the
 * same line, else the text just above, names the field. Only siblings count.
 */
export function nameFromNeighbours(sisters: readonly Element[]): readonly Element[] {
  if (sisters.every(({ name }) => name !== "")) return sisters;
  const headers = sisters.filter(({ role, name }) => role === "header" && name !== "");
  if (headers.length > 0) return sisters.map((sister) => nameFromHeader(sister, headers));
  const labels = sisters.filter(isLabel);
  if (labels.length === 0) return sisters;
  const isPair = labels.length === 1 && sisters.filter(({ role }) => paired.has(role)).length === 1;
  return sisters.map((sister) => {
    const field = findField(sister);
    const canBeNamed = isPair ? paired.has(field.role) : labelled.has(field.role);
    if (field.name !== "" || sister.bounds === undefined || !canBeNamed) return sister;
    const name = findLabel(sister.bounds, labels, isPair, labelled.has(field.role) ? 0 : maxGap);
    return name === undefined ? sister : callBy(sister, field, name);
  });
}

/** A number beside a slider is its value, not its name. */
function isLabel({ role, name, bounds, children }: Element): boolean {
  return role === "text" && /\p{L}/u.test(name) && bounds !== undefined && children.length === 0;
}

/**
 * A large field is inside a scroll pane, LibreOffice's drop-down list inside a box, alone or as a field with its button,
 * Thunar's field in one with the count of its letters: that is beside the label.
 */
function findField(element: Element): Element {
  const inside = element.children.filter(({ role, states }) => role !== "scrollbar" && !states.has("hidden"));
  const [first, companion, ...others] = inside;
  if (isBox(element) && first !== undefined && isBox(first) && companion === undefined) return findField(first);
  const isPart = companion !== undefined && parts.has(companion.role) && !/\p{L}/u.test(companion.name);
  if (first === undefined || element.name !== "") return element;
  if (element.role === "scroll") return first.role === "input" ? first : element;
  const isHeld = first.role === "select" || (first.role === "input" && isPart && others.length === 0);
  return isBox(element) && isHeld ? first : element;
}

/** What belongs to the field beside it, if it says nothing. */
const parts: ReadonlySet<Role> = new Set<Role>(["toggle", "text"]);

function isBox({ role, name }: Element): boolean {
  return role === "group" && name === "";
}

function callBy(sister: Element, field: Element, name: string): Element {
  const named = giveName(field, name);
  if (field === sister) return named;
  return { ...sister, children: replace(sister.children, field, named) };
}

function giveName(element: Element, name: string): Element {
  const isWritable = flatten([element]).some(({ states }) => states.has("editable"));
  if (!isWritable || !isSecretLabel(name)) return { ...element, name, children: nameOpener(element, name) };
  return { ...element, name, value: "", states: new Set([...element.states, "secret" as const]), children: [] };
}

/** The button that represents a GTK 4 combo box gets the combo box's name. */
function nameOpener({ role, children }: Element, name: string): readonly Element[] {
  if (role !== "select") return children;
  return children.map((child) => {
    const isOpener = child.role === "select" && child.name === "";
    return { ...child, name: isOpener ? name : child.name, children: nameOpener({ ...child, role }, name) };
  });
}

/** A cell without text, such as a check mark, is named after its column. */
function nameFromHeader(cell: Element, headers: readonly Element[]): Element {
  const { bounds } = cell;
  if (cell.role !== "cell" || cell.name !== "" || cell.value !== "" || bounds === undefined) return cell;
  const middle = bounds.x + bounds.width / 2;
  const header = headers.find((one) => {
    return one.bounds !== undefined && one.bounds.x <= middle && middle < one.bounds.x + one.bounds.width;
  });
  return header === undefined ? cell : { ...cell, name: header.name };
}

function findLabel(field: Bounds, labels: readonly Element[], isPair: boolean, minGap: number): string | undefined {
  let best: string | undefined;
  let bestGap = maxGap;
  for (const { name, bounds } of labels) {
    if (bounds === undefined) continue;
    const isLevel = bounds.y < field.y + field.height && field.y < bounds.y + bounds.height;
    const isInColumn = bounds.x < field.x + field.width && field.x < bounds.x + bounds.width;
    const besideGap = field.x - (bounds.x + bounds.width);
    const aboveGap = field.y - (bounds.y + bounds.height);
    if (isPair && isLevel && besideGap >= minGap) return name;
    const gap = isLevel ? besideGap : isInColumn && aboveGap < maxGapAbove ? aboveGap : maxGap;
    if (gap >= minGap && gap < bestGap) [best, bestGap] = [name, gap];
  }
  return best;
}

/**
 * A named group or tool bar around a single unnamed control gives it its name: LibreOffice's fields and side bar,
 * Swing's spin buttons.
 */
export function nameFromGroup(role: Role, name: string, children: readonly Element[]): readonly Element[] {
  if (role !== "group" && role !== "toolbar" && role !== "spin") return children;
  const controls = flatten(children).filter((one) => kindOfRole(one.role) === "control");
  const fields = controls.filter((one) => labelled.has(one.role));
  const [only, ...others] = fields.length > 0 ? fields : controls;
  return only === undefined || others.length > 0 || only.name !== ""
    ? children
    : replace(children, only, giveName(only, name));
}

function replace(elements: readonly Element[], old: Element, element: Element): readonly Element[] {
  return elements.map((one) => (one === old ? element : { ...one, children: replace(one.children, old, element) }));
}
