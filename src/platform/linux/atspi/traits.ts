import type { Role } from "../../../model/role.ts";
import type { Trait } from "../../../model/trait.ts";

/**
 * Of every toolkit, since whether an application has a trait is often known only by its effect:
 *
 * - Chromium 156 reports for good the place from which an animation has moved an element.
 * - In GTK 3 (mousepad), an entry of an open menu that is pressed through accessibility runs the dialog that it opens inside
 *   its answer.
 * - Qt does not report which tab is chosen. One entry of each tab bar and tree always reports the focus.
 */
const byRole: Readonly<Partial<Record<Role, readonly Trait[]>>> = {
  menuitem: ["action-may-block"],
  tab: ["selection-unreported", "focus-means-current"],
  cell: ["focus-means-current"],
  row: ["focus-means-current"],
  treeitem: ["focus-means-current"],
  option: ["focus-means-current"],
  item: ["focus-means-current"],
};

/** What a press is meant for, or what answers for the entries in it. */
const answering: ReadonlySet<string> = new Set([
  "label",
  "link",
  "push button",
  "combo box",
  "list item",
  "menu item",
  "page tab list",
  "table cell",
  "tree item",
]);

/** Elements of the same traits share one set. */
const known = new Map<string, ReadonlySet<Trait> | undefined>();

export function traitsOf(role: Role, platformRole: string): ReadonlySet<Trait> | undefined {
  const key = `${role} ${platformRole}`;
  if (!known.has(key)) known.set(key, findTraits(role, platformRole));
  return known.get(key);
}

function findTraits(role: Role, platformRole: string): ReadonlySet<Trait> | undefined {
  const traits = new Set<Trait>(byRole[role]);
  if (platformRole === "document web") traits.add("proves-places");
  if (answering.has(platformRole)) traits.add("answers-for-content");
  return traits.size === 0 ? undefined : traits;
}
