import { type Element, flatten } from "../../../model/element.ts";
import { cleanText } from "../../../model/plain-text.ts";
import type { Role } from "../../../model/role.ts";
import { type RawNode, walkNodes } from "./nodes.ts";
import type { Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

const maxValueLength = 2000;
const fields: ReadonlySet<Role> = new Set<Role>(["input", "document", "terminal", "select"]);

/** An element's value as displayed. Secret elements are already missing from `children`. */
export function readValue(node: RawNode, role: Role, children: readonly Element[], quirks: Quirks): string {
  const { choice, numericValue, text } = node.details;
  // A spin button's text has the unit, month name or zeros that its number lacks.
  if (role === "spin" && text !== undefined) return cleanText(text, maxValueLength);
  if (numericValue !== undefined) return formatNumber(numericValue);
  if (role === "select" && quirks.callsCombosByChoice) return cleanText(node.name, maxValueLength);
  if (role === "select" && (text === undefined || text === ""))
    return cleanText(choice ?? findChosen(node)?.name ?? findWritten(children), maxValueLength);
  // A spreadsheet cell is named by its address; any other by its text.
  const isAddressed = role === "cell" && hasState(node.states, "editable") && text !== node.name;
  return fields.has(role) || isAddressed ? cleanText(text ?? "", maxValueLength) : "";
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

function formatNumber(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
