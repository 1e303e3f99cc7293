import type { Element } from "../model/element.ts";
import { kindOfRole } from "../model/role.ts";

/**
 * Removes elements without information: unnamed containers, texts that repeat their control, and controls that only
 * wrap another of the same name. Their children move up.
 */
export function fold(element: Element, keeps: Keeps = keepsNothing): Element[] {
  const children = foldChildren(element, keeps);
  if (keeps(element)) return [{ ...element, children }];
  if (children.length === 0 && isEmpty(element) && !isActive(element)) return [];
  if (isStructure(element, children) || isShell(element, children)) return children;
  return [{ ...element, children }];
}

/** Whether an element is kept although it says nothing to people who see it. */
export type Keeps = (element: Element) => boolean;

const keepsNothing: Keeps = () => false;

/** A landmark, or what is loading: it structures a page for those who hear it. */
export function isSemantic({ role, aria, states }: Element): boolean {
  return (
    (kindOfRole(role) === "container" && aria?.role !== undefined) || (aria?.id !== undefined && states.has("busy"))
  );
}

function foldChildren(element: Element, keeps: Keeps = keepsNothing): Element[] {
  return element.children.flatMap((child) => fold(child, keeps)).filter((child) => !repeats(child, element));
}

function isStructure(element: Element, children: readonly Element[]): boolean {
  if (element.role === "scrollbar") return true;
  if (element.name !== "" || element.value !== "") return false;
  const isScroller = element.role === "scroll" || element.role === "separator";
  // Boxes are often clickable without being controls. One with content is reached by pressing that.
  if (kindOfRole(element.role) === "container") return isScroller || children.length > 0 || !isActive(element);
  // A calendar may expose no content, but people use it.
  if (element.role === "calendar") return false;
  const isUnnamedGroup =
    kindOfRole(element.role) === "landmark" && element.role !== "dialog" && element.role !== "menu";
  return isUnnamedGroup && children.length <= 1 && !(isActive(element) && children.length === 0);
}

/** Nothing to read and nothing to do. */
function isEmpty(element: Element): boolean {
  const kind = kindOfRole(element.role);
  const hasWords = element.name !== "" || element.value !== "";
  return (kind === "text" || kind === "container") && !hasWords;
}

/** A control without actions around a control of the same name that does the work, as in some menu buttons. */
function isShell(element: Element, children: readonly Element[]): boolean {
  const [first] = children;
  return (
    first !== undefined &&
    // While its menu is open, the menu is a second child.
    (children.length === 1 || first.role === element.role) &&
    kindOfRole(element.role) === "control" &&
    element.actions.length === 0 &&
    element.value === "" &&
    first.actions.length > 0 &&
    first.name === element.name
  );
}

/** The handles of shells: a ref means what does the work in them, as people do. */
export function listShells(root: Element | undefined): ReadonlySet<string> {
  const shells = new Set<string>();
  const visit = (element: Element): void => {
    const { role, actions, value, children } = element;
    const mayBe = children.length > 0 && actions.length === 0 && value === "" && kindOfRole(role) === "control";
    if (mayBe && isShell(element, foldChildren(element))) shells.add(element.handle);
    children.forEach(visit);
  };
  if (root !== undefined) visit(root);
  return shells;
}

/** Whether a text, or a part of a cell, only repeats its parent. */
export function repeats(child: Element, parent: Element): boolean {
  if (child.role === "cell" && parent.role === "cell") return isPartOfCell(child, parent);
  if (child.children.length > 0 || kindOfRole(child.role) !== "text" || isActive(child) || child.value !== "")
    return false;
  // A frame's title is both its name and a text inside it.
  if (child.name === parent.name && parent.role !== "scrollbar") return true;
  if (kindOfRole(parent.role) !== "control" && kindOfRole(parent.role) !== "text") return false;
  return parent.name.includes(child.name) || (parent.role === "select" && child.name === parent.value);
}

/** The icon or the text of one cell, reported as a further cell with the actions of the whole. */
function isPartOfCell({ name, value, actions, children }: Element, cell: Element): boolean {
  const isAlike = (name === "" || name === cell.name) && value === "";
  return isAlike && children.length === 0 && actions.every((action) => cell.actions.includes(action));
}

function isActive(element: Element): boolean {
  return element.actions.includes("press") || element.actions.includes("toggle") || element.actions.includes("set");
}
