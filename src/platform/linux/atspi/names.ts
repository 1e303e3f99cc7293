import { cleanText } from "../../../model/plain-text.ts";
import { kindOfRole, type Role, roleFromAtspi } from "../../../model/role.ts";
import { holdsField, isDateField, isWritable, type RawNode, roleNameOf } from "./nodes.ts";
import { isInterface } from "./peer.ts";
import type { Quirks } from "./quirks.ts";
import { refineRole } from "./refine-role.ts";
import { hasState } from "./vocabulary.ts";

export const maxNameLength = 1000;
const maxNamingNodes = 40;

export function ownNameOf(node: RawNode, quirks: Quirks): string {
  const kind = kindOfRole(roleFromAtspi(roleNameOf(node)));
  if (quirks.namesHoldValues && kind !== "landmark" && holdsField(node) && !isDateField(node))
    return cleanText(node.details.text ?? "", maxNameLength);
  const name = cleanText(node.name, maxNameLength);
  if (quirks.placeholderName?.test(name)) return "";
  if (quirks.callsCombosByChoice && roleNameOf(node) === "combo box") return "";
  if (quirks.namesCombosByChoice && node.details.choice !== undefined && node.name === node.details.choice) return "";
  if (quirks.tabsBorrow && roleNameOf(node) === "page tab list" && node.children.some((tab) => tab.name === name))
    return "";
  if (quirks.repeatsLabels) {
    const label = node.children.find((child) => isRepeated(name, child.name));
    if (label !== undefined) return label.name;
    // A page of a stack has no position; its title is on the tab that shows it.
    if (kind === "container" && !isInterface(node.interfaces, "Component")) return "";
  }
  const canBeClass = kind === "container" || kind === "landmark" || isWritable(node);
  return canBeClass && quirks.placeholderContainerName?.test(name) ? "" : name;
}

/** "Save Save", or "_Save Save" with the label's mnemonic. */
export function isRepeated(name: string, label: string): boolean {
  if (label === "" || !name.endsWith(` ${label}`)) return false;
  const before = name.slice(0, -label.length - 1);
  return before === label || before.replace("_", "") === label;
}

/** The label a person would use: its name, label, text, content or hint. */
export function nameOf(node: RawNode, role: Role, quirks: Quirks): string {
  const inside = role === "tab" && quirks.namesTabsByContent ? contentOf(node, quirks) : "";
  const own = inside !== "" ? inside : ownNameOf(node, quirks);
  if (own !== "") return own;
  const label = cleanText(node.details.label ?? "", maxNameLength);
  if (label !== "") return label;
  // The content of a field or drop-down list is its value.
  const isField =
    role === "input" || role === "spin" || role === "select" || role === "terminal" || role === "document";
  if (isField) return cleanText(node.details.attributes?.get("placeholder-text") ?? node.description, maxNameLength);
  if (kindOfRole(role) === "text" || role === "item") return cleanText(node.details.text ?? "", maxNameLength);
  // The content of a tab's page is not the tab's name.
  if (kindOfRole(role) === "control" && role !== "tab") {
    const content = contentOf(node, quirks);
    const words = content !== "" ? content : cleanText(node.description, maxNameLength);
    // The label or description of a GTK slider is its number.
    return role === "slider" && !/\p{L}/u.test(words) ? "" : words;
  }
  return "";
}

/** The texts inside a control without a name, such as GTK 4 buttons with a label as child. */
function contentOf(node: RawNode, quirks: Quirks): string {
  const texts: string[] = [];
  // What an expander shows when it is open follows its title, and is not its name.
  const most = hasState(node.states, "expandable") ? 1 : Number.POSITIVE_INFINITY;
  let left = maxNamingNodes;
  const visit = (inner: RawNode): void => {
    left -= 1;
    // The content of an open menu is not the name of its button, nor is text typed into a field.
    const isField = isWritable(inner) || roleNameOf(inner) === "password text";
    const role = refineRole(inner, quirks, false);
    if (left < 0 || texts.length >= most || isField || role === "menu" || role === "dialog" || !isOnScreen(inner))
      return;
    const text = ownNameOf(inner, quirks) || cleanText(inner.details.text ?? "", maxNameLength);
    if (text !== "" && texts.at(-1) !== text) texts.push(text);
    inner.children.forEach(visit);
  };
  node.children.forEach(visit);
  return texts.length > 0
    ? cleanText(texts.join(" "), maxNameLength)
    : cleanText(node.details.text ?? "", maxNameLength);
}

/** A button may have two labels and show one. Scrolled-away texts count; hidden ones and those without size do not. */
function isOnScreen(node: RawNode): boolean {
  const { extents } = node.details;
  return hasState(node.states, "visible") && (extents === undefined || extents[2] > 0 || extents[3] > 0);
}
