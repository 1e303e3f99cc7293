import type { Element } from "../../../model/element.ts";

/**
 * Rebuilds the new tree from unchanged parts of the old one: an unchanged part is the same object, and so is the whole
 * if nothing changed.
 */
export function share(before: Element | undefined, now: Element | undefined): Element | undefined {
  return before === undefined || now === undefined ? now : shareElement(before, now);
}

function shareElement(before: Element, now: Element): Element {
  const children = shareChildren(before.children, now.children);
  if (children === before.children && isAlike(before, now)) return before;
  return children === now.children ? now : { ...now, children };
}

function shareChildren(before: readonly Element[], now: readonly Element[]): readonly Element[] {
  // Most lists keep their order: siblings are looked up by id only if they do not.
  const known = now.some((child, index) => before[index]?.handle !== child.handle)
    ? new Map(before.map((child) => [child.handle, child]))
    : undefined;
  const ids = known && new Set(now.map(({ handle }) => handle));
  const shared = now.map((child, index) => {
    const old = known === undefined ? before[index] : known.get(child.handle);
    if (old !== undefined) return shareElement(old, child);
    const there = before[index];
    return there !== undefined && ids?.has(there.handle) === false ? shareRenamed(there, child) : child;
  });
  if (shared.length === before.length && shared.every((child, index) => child === before[index])) return before;
  return shared.every((child, index) => child === now[index]) ? now : shared;
}

/** Qt gives table cells a new path on each request; the old ones stay valid as long as the cell. */
const renamed: ReadonlySet<string> = new Set([
  "table cell",
  "list item",
  "tree item",
  "table column header",
  "table row header",
]);

function shareRenamed(before: Element, now: Element): Element {
  if (!renamed.has(now.platformRole) || !before.handle.includes(qtPath)) return now;
  const shared = shareElement(before, { ...now, handle: before.handle });
  return shared === before ? before : now;
}

/** Qt's object numbers start here; no other toolkit's do. */
const qtPath = "/org/a11y/atspi/accessible/21474";

function isAlike(before: Element, now: Element): boolean {
  for (const key of Object.keys(now)) {
    if (key !== "children" && !isSame(Reflect.get(before, key), Reflect.get(now, key))) return false;
  }
  return Object.keys(before).length === Object.keys(now).length;
}

/** Deep equality of plain values, sets, lists and records. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Set && other instanceof Set) return one.size === other.size && one.isSubsetOf(other);
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => isSame(Reflect.get(one, key), Reflect.get(other, key)));
}
