import { type Element, flatten } from "../../../model/element.ts";
import { cleanText, partGap } from "../../../model/plain-text.ts";
import { kindOfRole, type Role } from "../../../model/role.ts";
import { isDateField, type RawNode, walkNodes } from "./nodes.ts";
import type { Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

const maxValueLength = 2000;
const fields: ReadonlySet<Role> = new Set<Role>(["input", "document", "terminal", "select"]);

/** Stands for an object inside a text. */
export const objectMark = "\ufffc";

/** Whether elements of a role may have text of their own beside what is in them. An item is named by it. */
export function isHolderRole(role: Role): boolean {
  const kind = kindOfRole(role);
  return kind === "landmark" || (kind === "container" && role !== "item");
}

/** An element's value as displayed. Secret elements are already missing from `children`. */
export function readValue(node: RawNode, role: Role, children: readonly Element[], quirks: Quirks): string {
  const { choice, numericValue, attributes } = node.details;
  // A spin button's text has the unit, month name or zeros that its number lacks. Firefox's dates have no number at all.
  const text = node.details.text ?? (role === "spin" ? attributes?.get("valuetext") : undefined);
  if (role === "spin" && text !== undefined) return cleanText(text, maxValueLength);
  if (numericValue !== undefined) return String(Math.round(numericValue * 1e6) / 1e6);
  if (role === "select" && quirks.callsCombosByChoice) return cleanText(node.name, maxValueLength);
  if (role === "select" && (text === undefined || text === ""))
    return cleanText(choice ?? findChosen(node)?.name ?? findWritten(children), maxValueLength);
  // A spreadsheet cell is named by its address; any other by its text.
  const isAddressed = role === "cell" && hasState(node.states, "editable") && text !== node.name;
  if (isDateField(node)) return joinDate(text ?? "", children);
  if (quirks.hasBareTexts && isHolderRole(role) && text !== undefined)
    return cleanText(joinParts(text), maxValueLength);
  return fields.has(role) || isAddressed ? cleanText(text ?? "", maxValueLength) : "";
}

/** The parts of a text that objects stand between. */
function joinParts(text: string): string {
  const parts = text.split(objectMark).filter((part) => cleanText(part, maxValueLength) !== "");
  return parts.join(partGap);
}

/** A date with its parts in their places; empty if they are. Firefox's months and weeks are texts without parts. */
function joinDate(text: string, children: readonly Element[]): string {
  const parts = children.filter(({ role }) => role === "spin");
  if (parts.length > 0 && parts.every(({ value }) => value === "")) return "";
  let at = 0;
  return cleanText(
    text.replaceAll(objectMark, () => children[at++]?.value ?? ""),
    maxValueLength,
  );
}

function findChosen(node: RawNode): RawNode | undefined {
  for (const inner of walkNodes(node)) {
    if (inner !== node && hasState(inner.states, "selected")) return inner;
  }
  return undefined;
}

/** A combo box with a field shows the field's text. */
function findWritten(children: readonly Element[]): string {
  return flatten(children).find(({ states }) => states.has("editable"))?.value ?? "";
}
