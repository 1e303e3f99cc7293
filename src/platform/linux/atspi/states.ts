import { kindOfRole, type Role } from "../../../model/role.ts";
import type { State } from "../../../model/state.ts";
import { isBareField, type RawNode } from "./nodes.ts";
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
  const isUsable = isEnabled(quirks, node.states) && !isInDisabled;
  if (!isUsable && kindOfRole(role) === "control") states.add("disabled");
  if (hasState(node.states, "expanded")) states.add("expanded");
  else if (hasState(node.states, "expandable") || hasState(node.states, "collapsed")) states.add("collapsed");
  if (isSecret) states.add("secret");
  if (role === "cell" && node.details.actions?.some(([name]) => name === "toggle")) states.add("checkable");
  if (quirks.tabsBorrow) dropInherited(role, states);
  return states;
}

/** Swing: a tab list's focus belongs to its selected tab only; an open menu is not checked. */
function dropInherited(role: Role, states: Set<State>): void {
  if (role === "tablist" || (role === "tab" && !states.has("selected"))) states.delete("focused");
  if (role === "menu") states.delete("checked");
}
