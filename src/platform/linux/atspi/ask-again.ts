import type { Actor } from "../../../model/command.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { kindOfRole, roleFromAtspi } from "../../../model/role.ts";
import { hiddenWord } from "../../../model/secrets-in-text.ts";
import type { Bus } from "../dbus/bus.ts";
import { ErrorReply } from "../dbus/errors.ts";
import { isRepeated, maxNameLength, ownNameOf } from "./names.ts";
import { type RawNode, roleNameOf } from "./nodes.ts";
import type { Peer } from "./peer.ts";
import { getInterfaces, getProperty, getRole, getStates } from "./protocol.ts";
import type { Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

interface Address {
  readonly busName: string;
  readonly path: string;
}

/** The address of an element's object; undefined if it belongs to an earlier run of the bus. */
export function findAddress(bus: Bus, { handle }: Pick<Actor, "handle">): Address | undefined {
  const [, guid, busName, path] = /^([^:]*)(:[\d.]+)(\/.*)$/.exec(handle) ?? [];
  return guid !== bus.guid || busName === undefined || path === undefined ? undefined : { busName, path };
}

export function handleOf(bus: Bus, busName: string, path: string): string {
  return `${bus.guid}${busName}${path}`;
}

/** Reads the object again without its children, in one round trip; undefined if it is gone. */
export async function askAgain(peer: Peer, path: string, element: Actor): Promise<RawNode | undefined> {
  try {
    const [role, states, interfaces, name] = await Promise.all([
      getRole(peer, path),
      getStates(peer, path),
      getInterfaces(peer, path),
      getProperty(peer, path, "Accessible", "Name"),
    ]);
    if (hasState(states, "defunct")) return undefined;
    return {
      path,
      parentPath: "",
      indexInParent: 0,
      childCount: 0,
      interfaces,
      name: typeof name === "string" ? name : "",
      role,
      description: element.description,
      states,
      children: [],
      details: { actions: element.platformActions.map((action) => [action, "", ""]) },
    };
  } catch (error) {
    if (error instanceof ErrorReply) return undefined;
    throw error;
  }
}

/** Its own name, as a read would return it. */
export function ownNameAgain(node: RawNode, element: Actor, quirks: Quirks): string {
  const name = quirks.changingPart === undefined ? node.name : node.name.replace(quirks.changingPart, "");
  const isSame = reasons.some((holds) => holds({ name: cleanText(name, maxNameLength), node, element, quirks }));
  return isSame ? element.ownName : ownNameOf({ ...node, name }, quirks);
}

/** Whether it is still the control that was read, by role and own name. */
export function isSameControl(node: RawNode, element: Actor, quirks: Quirks): boolean {
  return roleNameOf(node) === element.platformRole && ownNameAgain(node, element, quirks) === element.ownName;
}

interface Comparison {
  readonly name: string;
  readonly node: RawNode;
  readonly element: Actor;
  readonly quirks: Quirks;
}

/** Reasons why a different name is still the same: a read knows the content and removed part of it. */
const reasons: readonly ((comparison: Comparison) => boolean)[] = [
  ({ name, element, quirks }) => quirks.repeatsLabels && isRepeated(name, element.ownName),
  ({ node, element, quirks }) =>
    (quirks.namesCombosByChoice || quirks.callsCombosByChoice) &&
    element.ownName === "" &&
    roleNameOf(node) === "combo box",
  ({ node, element, quirks }) => quirks.tabsBorrow && element.ownName === "" && roleNameOf(node) === "page tab list",
  // The name of a field's container changes with every typed letter: anything that may contain a field is accepted.
  ({ node, quirks }) => quirks.namesHoldValues && mayHoldField(roleNameOf(node)),
  ({ element }) => element.ownName.includes(hiddenWord),
];

const holders = new Set(["table cell", "row header", "column header", "list item", "tree item", "table row"]);

function mayHoldField(role: string): boolean {
  return holders.has(role) || kindOfRole(roleFromAtspi(role)) !== "control";
}
