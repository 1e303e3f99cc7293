import type { Element } from "../model/element.ts";
import { kindOfRole } from "../model/role.ts";

/**
 * Folds away what carries nothing: containers without a name, texts that repeat the control they stand in, and a control
 * that is only the shell of another of the same name. What is inside moves up.
 */
export function fold(element: Element): Element[] {
  const children = element.children.flatMap(fold).filter((child) => !repeats(child, element));
  if (children.length === 0 && isEmpty(element) && !isActive(element)) return [];
  if (isStructure(element, children) || isShell(element, children)) return children;
  return [{ ...element, children }];
}

function isStructure(element: Element, children: readonly Element[]): boolean {
  if (element.role === "scrollbar") return true;
  if (element.name !== "") return false;
  const isScroller = element.role === "scroll" || element.role === "separator";
  // Firefox lets most boxes be clicked. One that holds something is reached by pressing that.
  if (kindOfRole(element.role) === "container") return isScroller || children.length > 0 || !isActive(element);
  // GTK 3's calendar tells nothing of what is in it, but a person uses it.
  if (element.role === "calendar") return false;
  const isUnnamedGroup =
    kindOfRole(element.role) === "landmark" && element.role !== "dialog" && element.role !== "menu";
  return isUnnamedGroup && children.length <= 1 && !(isActive(element) && children.length === 0);
}

/** Nothing to read, nothing to do. */
function isEmpty(element: Element): boolean {
  const kind = kindOfRole(element.role);
  const hasWords = element.name !== "" || element.value !== "";
  return (kind === "text" || kind === "container") && !hasWords;
}

/** GTK 4's menu button holds the toggle button that does its work, both of the same name. */
function isShell(element: Element, children: readonly Element[]): boolean {
  const [first] = children;
  return (
    first !== undefined &&
    // While its menu is open, that is beside the button.
    (children.length === 1 || first.role === element.role) &&
    kindOfRole(element.role) === "control" &&
    element.actions.length === 0 &&
    element.value === "" &&
    first.actions.length > 0 &&
    first.name === element.name
  );
}

/** Whether a text only says again what the control or text says in which it stands. */
export function repeats(child: Element, parent: Element): boolean {
  if (child.children.length > 0 || kindOfRole(child.role) !== "text" || isActive(child) || child.value !== "")
    return false;
  // A frame's title is both its name and a text in it.
  if (child.name === parent.name && parent.role !== "scrollbar") return true;
  if (kindOfRole(parent.role) !== "control" && kindOfRole(parent.role) !== "text") return false;
  return parent.name.includes(child.name) || (parent.role === "select" && child.name === parent.value);
}

function isActive(element: Element): boolean {
  return element.actions.includes("press") || element.actions.includes("toggle") || element.actions.includes("set");
}
