import { unlessRefused } from "../atspi/cache.ts";
import { isManager } from "../atspi/collect.ts";
import { coordinatesOf } from "../atspi/details.ts";
import { isNodeShown, isWritable, type RawNode } from "../atspi/nodes.ts";
import type { Peer } from "../atspi/peer.ts";
import { type Extents, getChildren, getExtents, getProperty, getRole, getStates } from "../atspi/protocol.ts";
import type { Quirks } from "../atspi/quirks.ts";
import { readName } from "../atspi/read-node.ts";
import type { StateBits } from "../atspi/vocabulary.ts";
import { maxListed } from "../atspi/walk.ts";

/** What is asked of a node to know whether it is still what it was. */
export interface Depth {
  /** Also its name, its role and which children it has, not only how many. */
  readonly isClose: boolean;
  readonly isPlaced: boolean;
}

/** More children are only counted. */
const maxCompared = 100;

/** Whether a node holds what changes without its name or its states: that is read each time. */
export function hasContent({ details }: RawNode): boolean {
  const { text, secretText, numericValue, choice, url } = details;
  return [text, secretText, numericValue, choice, url].some((content) => content !== undefined);
}

/** What is left of the details when the content is to be read again; what a field says that is to be written in goes with it. */
export function dropContent(node: RawNode): RawNode["details"] {
  const { extents, actions, label, labelPaths, id, attributes } = node.details;
  return defined({ extents, actions, label, labelPaths, id, attributes: isWritable(node) ? undefined : attributes });
}

function defined<T extends object>(record: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  const kept: { [Key in keyof T]?: NonNullable<T[Key]> } = {};
  return Object.assign(kept, Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
}

/** Whether its children are those that were found in view. */
export function isFoundByPlace(node: RawNode): boolean {
  return isManager(node) || node.childCount > maxListed || node.isReadInPart === true;
}

/** Whether others may be its children though it has as many. */
export function isOnlyCounted(node: RawNode): boolean {
  return isFoundByPlace(node) || node.childCount > maxCompared;
}

/** Whether a node is what it was, and where it is now; undefined where it is no more. Of `hidden` none may show itself. */
export async function askForFacts(
  { peer, quirks }: { readonly peer: Peer; readonly quirks: Quirks },
  node: RawNode,
  hidden: readonly RawNode[],
  { isClose, isPlaced }: Depth,
): Promise<{ readonly isSame: boolean; readonly extents: Extents | undefined } | undefined> {
  const { path, details } = node;
  // One that was not to be had may be by now.
  const isIncomplete = node.children.length > 0 && node.children.length !== node.childCount;
  const isListed = (isClose || isIncomplete) && node.children.length > 0 && !isOnlyCounted(node);
  const [states, count, refs, name, role, extents, turned] = await Promise.all([
    unlessRefused(getStates(peer, path)),
    isListed ? node.childCount : unlessRefused(getProperty(peer, path, "Accessible", "ChildCount")),
    isListed ? unlessRefused(getChildren(peer, path)) : undefined,
    isClose ? unlessRefused(getProperty(peer, path, "Accessible", "Name")) : node.name,
    isClose ? unlessRefused(getRole(peer, path)) : node.role,
    isPlaced && details.extents !== undefined
      ? unlessRefused(getExtents(peer, path, coordinatesOf(quirks)))
      : undefined,
    Promise.all(hidden.map(async (child) => isTurned(quirks, child, await unlessRefused(getStates(peer, child.path))))),
  ]);
  if (states === undefined || name === undefined) return undefined;
  const paths = isListed ? refs?.map((ref) => ref[1]).join() : "";
  const isSame =
    isSameStates(states, node.states) &&
    count === node.childCount &&
    role === node.role &&
    (!isClose || readName(quirks, name) === node.name) &&
    (!isListed || paths === node.children.map((child) => child.path).join()) &&
    !turned.includes(true);
  return { isSame, extents };
}

/** Whether something that was hidden is there no more, or shows itself. */
function isTurned(quirks: Quirks, node: RawNode, states: StateBits | undefined): boolean {
  return states === undefined || isNodeShown(quirks, { ...node, states });
}

function isSameStates(one: StateBits, other: StateBits): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

export function isSameExtents(one: Extents | undefined, other: Extents): boolean {
  return one?.every((part, index) => part === other[index]) === true;
}
