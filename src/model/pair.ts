import { type Element, flatten } from "./element.ts";
import { partGap } from "./plain-text.ts";
import { kindOfRole } from "./role.ts";

/**
 * The former state of each child in an earlier read of the same element: the same object, or a text in whose place a new
 * object shows other words, as browsers do. Children without one have appeared. A place is known by what is beside it:
 * the lines of a log move on. If all children look as before, in the same order, they were only made anew: Qt does so with
 * the entries of its trees.
 */
export function pairChildren(before: Element, after: Element): ReadonlyMap<Element, Element> {
  const known = new Map(before.children.map((child) => [child.handle, child]));
  const handles = new Set(after.children.map(({ handle }) => handle));
  const isSame = (index: number): boolean => {
    const [old, now] = [before.children[index], after.children[index]];
    return old !== undefined && old.handle === now?.handle;
  };
  const isOnly = before.children.length === 1 && after.children.length === 1;
  const isRemade =
    before.children.length === after.children.length &&
    after.children.some(({ handle }) => !known.has(handle)) &&
    after.children.every((child, index) => isAlike(before.children[index], child));
  const pairs = new Map<Element, Element>();
  after.children.forEach((child, index) => {
    const there = before.children[index];
    const isNew = there?.role === child.role && !handles.has(there.handle) && isTextual(child);
    const isReplaced = isNew && (isOnly || isSame(index - 1) || isSame(index + 1));
    const former = known.get(child.handle) ?? (isReplaced || isRemade ? there : undefined);
    if (former !== undefined) pairs.set(child, former);
  });
  return pairs;
}

function isAlike(before: Element | undefined, after: Element): boolean {
  if (before === undefined || before.children.length !== after.children.length) return false;
  const isSame = before.role === after.role && before.name === after.name && before.value === after.value;
  return isSame && after.children.every((child, index) => isAlike(before.children[index], child));
}

/** Whether it is something to read, with nothing to act on inside. */
export function isTextual(element: Element): boolean {
  return flatten([element]).every(({ role }) => kindOfRole(role) === "text");
}

// What may change by itself is known by an id: an element by its handle, one part of its text, what is inside it, a
// window.

/** What appears and disappears there. */
export function idOfContent(handle: string): string {
  return `in:${handle}`;
}

/** Whatever is shown as its child of that index. */
export function idOfPlace(handle: string, index: number): string {
  return `in:${handle}@${index}`;
}

/** Whether an id is that of what appears and disappears somewhere. */
export function isOfContent(id: string): boolean {
  return id.startsWith("in:") && !id.includes("@");
}

/** Its title, place and state. */
export function idOfWindow(windowId: number): string {
  return `window:${windowId}`;
}

export function isOfWindow(id: string): boolean {
  return id.startsWith("window:");
}

/** The ids of what is different in a value: its parts if there are as many as before, else all of it. */
export function listValueIds(handle: string, before: string, after: string): readonly string[] {
  const [old, now] = [before.split(partGap), after.split(partGap)];
  if (old.length !== now.length || now.length === 1) return [handle];
  return listPartIds(handle, before, after).filter((_, index) => old[index] !== now[index]);
}

export function listPartIds(handle: string, ...values: readonly string[]): readonly string[] {
  const count = Math.max(...values.map((value) => value.split(partGap).length));
  return count === 1 ? [] : Array.from({ length: count }, (_, index) => `${handle}#${index}`);
}
