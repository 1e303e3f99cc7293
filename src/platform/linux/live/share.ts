import type { Element } from "../../../model/element.ts";

/**
 * What is new, made of the parts of what was before that are still the same: a part that did not change is the very same
 * object, and so is the whole when nothing did.
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
  // Most lists keep their order: only where they do not, sisters are looked for by name.
  const known = now.some((child, index) => before[index]?.runtimeId !== child.runtimeId)
    ? new Map(before.map((child) => [child.runtimeId, child]))
    : undefined;
  const ids = known && new Set(now.map(({ runtimeId }) => runtimeId));
  const shared = now.map((child, index) => {
    const old = known === undefined ? before[index] : known.get(child.runtimeId);
    if (old !== undefined) return shareElement(old, child);
    const there = before[index];
    return there !== undefined && ids?.has(there.runtimeId) === false ? shareRenamed(there, child) : child;
  });
  if (shared.length === before.length && shared.every((child, index) => child === before[index])) return before;
  return shared.every((child, index) => child === now[index]) ? now : shared;
}

/** Qt gives the cells of a table another name each time they are asked for; the old ones hold as long as the cell. */
const renamed: ReadonlySet<string> = new Set([
  "table cell",
  "list item",
  "tree item",
  "table column header",
  "table row header",
]);

function shareRenamed(before: Element, now: Element): Element {
  if (!renamed.has(now.platformRole) || !before.runtimeId.includes(qtPath)) return now;
  const shared = shareElement(before, { ...now, runtimeId: before.runtimeId });
  return shared === before ? before : now;
}

/** Qt numbers its objects from here on; no other toolkit does. */
const qtPath = "/org/a11y/atspi/accessible/21474";

function isAlike(before: Element, now: Element): boolean {
  for (const key of Object.keys(now)) {
    if (key !== "children" && !isSame(Reflect.get(before, key), Reflect.get(now, key))) return false;
  }
  return Object.keys(before).length === Object.keys(now).length;
}

/** Of plain values, sets, lists and records: what elements are made of. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (one instanceof Set && other instanceof Set) return one.size === other.size && one.isSubsetOf(other);
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => isSame(Reflect.get(one, key), Reflect.get(other, key)));
}
