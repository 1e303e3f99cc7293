import { kindOfRole, type Role } from "../../../model/role.ts";
import type { State } from "../../../model/state.ts";
import type { Trait } from "../../../model/trait.ts";
import { isBareField, type RawNode, roleNameOf } from "./nodes.ts";
import { isEnabled, type Quirks } from "./quirks.ts";
import { hasState, sameStates } from "./vocabulary.ts";

export interface Circumstances {
  readonly isSeen: boolean;
  readonly isSecret: boolean;
  /** Inside something disabled, if the toolkit does not propagate that. */
  readonly isInDisabled: boolean;
}

export function readStates(
  node: RawNode,
  role: Role,
  quirks: Quirks,
  { isSeen, isSecret, isInDisabled }: Circumstances,
): Set<State> {
  const states = new Set<State>();
  if (!isSeen) states.add("hidden");
  for (const [theirs, ours] of sameStates) {
    if (hasState(node.states, theirs)) states.add(ours);
  }
  if (isBareField(node)) states.add("editable");
  const isUsable = (isEnabled(quirks, node.states) || isDesktopIcon(node)) && !isInDisabled;
  if (!isUsable && kindOfRole(role) === "control") states.add("disabled");
  if (hasState(node.states, "expanded")) states.add("expanded");
  else if (hasState(node.states, "expandable") || hasState(node.states, "collapsed")) states.add("collapsed");
  // A toggle button that stands for a combo box is down while its list is open.
  if (role === "select" && roleNameOf(node) === "toggle button") {
    states.add(states.delete("checked") ? "expanded" : "collapsed");
  }
  if (isSecret) states.add("secret");
  if (role === "cell" && node.details.actions?.some(([name]) => name === "toggle")) states.add("checkable");
  if (quirks.tabsBorrow) dropInherited(role, states);
  return states;
}

/** The icons of MATE's file manager and desktop are never reported as enabled. */
export function isDesktopIcon(node: RawNode): boolean {
  return roleNameOf(node) === "icon" && hasState(node.states, "focusable");
}

/** Swing: a tab list's focus belongs to its selected tab only; an open menu is not checked. */
function dropInherited(role: Role, states: Set<State>): void {
  if (role === "tablist" || (role === "tab" && !states.has("selected"))) states.delete("focused");
  if (role === "menu") states.delete("checked");
}

/**
 * Used for every toolkit, since often only the effect of an action shows whether an application has a trait:
 *
 * - Chromium 156 keeps reporting the position that an element had before an animation moved it.
 * - In GTK 3 (mousepad), the action of a menu item answers only when the dialog that it opens is closed.
 * - Qt does not report which tab is selected. One entry of each tab bar and tree always reports the focus.
 * - In the panel of XFCE, menus open and programs start on the press of the mouse button; the action of their buttons
 *   turns them pressed, or does nothing. LXQt's workspace buttons turn checked without switching.
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

/** Roles that take the presses on their content. */
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

/** An image needs no words; what an application draws itself may be anything. */
const drawn: ReadonlySet<string> = new Set(["unknown", "drawing area", "canvas"]);

/** Elements of the same traits share one set. */
const known = new Map<string, ReadonlySet<Trait> | undefined>();

/** `ofToolkit`: what its toolkit or place adds. */
export function traitsOf(role: Role, platformRole: string, ...ofToolkit: Trait[]): ReadonlySet<Trait> | undefined {
  const key = [role, platformRole, ...ofToolkit].join(" ");
  if (!known.has(key)) known.set(key, findTraits(role, platformRole, ofToolkit));
  return known.get(key);
}

function findTraits(role: Role, platformRole: string, ofToolkit: readonly Trait[]): ReadonlySet<Trait> | undefined {
  const traits = new Set<Trait>([...(byRole[role] ?? []), ...ofToolkit]);
  if (platformRole === "document web") traits.add("proves-places");
  if (drawn.has(platformRole)) traits.add("drawn");
  if (answering.has(platformRole)) traits.add("answers-for-content");
  return traits.size === 0 ? undefined : traits;
}
