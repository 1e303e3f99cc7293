import { isManager } from "../atspi/collect.ts";
import { coordinatesOf } from "../atspi/details.ts";
import { getStates, isNodeShown, isWritable, type RawNode, readName, roleNameOf } from "../atspi/nodes.ts";
import { type Extents, nullPath, type Peer } from "../atspi/peer.ts";
import { isShown, type Quirks } from "../atspi/quirks.ts";
import type { StateBits } from "../atspi/vocabulary.ts";
import { maxListed } from "../atspi/walk.ts";
import { unlessRefused } from "../dbus/bus.ts";

/** What is requested of a node to detect changes. */
export interface Depth {
  /** Also its name, role and the identity of its children, not only their count. */
  readonly isClose: boolean;
  readonly isPlaced: boolean;
}

/** With more children only the count is compared. */
const maxCompared = 100;
const maxSamples = 8;

/** Whether a node has content that changes without its name or states; that is read each time. */
export function hasContent({ details }: RawNode): boolean {
  const { text, secretText, numericValue, choice, url } = details;
  return [text, secretText, numericValue, choice, url].some((content) => content !== undefined);
}

/** The details that stay valid when content is reread; the attributes of a field or a number do not. */
export function dropContent(node: RawNode): RawNode["details"] {
  const { extents, actions, label, labelPaths = [], id, numericValue, ...details } = node.details;
  const attributes = isWritable(node) || numericValue !== undefined ? undefined : details.attributes;
  return defined({ extents, actions, label, labelPaths, id, attributes });
}

function defined<T extends object>(record: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  const kept: { [Key in keyof T]?: NonNullable<T[Key]> } = {};
  return Object.assign(kept, Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
}

/** Whether its children are only the visible ones. */
export function isFoundByPlace(node: RawNode): boolean {
  return isManager(node) || node.childCount > maxListed || node.isReadInPart === true;
}

/** Whether its children may differ although their count is the same. */
export function isOnlyCounted(node: RawNode): boolean {
  return isFoundByPlace(node) || node.childCount > maxCompared;
}

/** Undefined for a node that no longer exists. */
export interface Facts {
  readonly isSame: boolean;
  readonly extents: Extents | undefined;
}

/**
 * Checks whether a node is unchanged, and where it is now. No node of `hidden`, and none that was never read, may have
 * become visible.
 */
export async function checkNode(
  application: { readonly peer: Peer; readonly quirks: Quirks },
  node: RawNode,
  hidden: readonly RawNode[],
  { isClose, isPlaced }: Depth,
): Promise<Facts | undefined> {
  const { peer, quirks } = application;
  const { path, details } = node;
  // Hidden children without visible siblings were not read.
  const isListed = node.childCount > 0 && (isClose || node.children.length < node.childCount) && !isOnlyCounted(node);
  const [states, hasSameChildren, name, role, extents, turned] = await Promise.all([
    unlessRefused(getStates(application, path)),
    isListed
      ? listsTheSame(application, node)
      : unlessRefused(peer.getProperty(path, "Accessible", "ChildCount")).then((count) => count === node.childCount),
    isClose ? unlessRefused(peer.getProperty(path, "Accessible", "Name")) : node.name,
    isClose ? unlessRefused(peer.getRole(path)) : node.role,
    isPlaced && details.extents !== undefined ? unlessRefused(peer.getExtents(path, coordinatesOf(quirks))) : undefined,
    Promise.all(
      hidden.map(async (child) => isTurned(quirks, child, await unlessRefused(getStates(application, child.path)))),
    ),
  ]);
  if (states === undefined || name === undefined) return undefined;
  const isSame =
    states[0] === node.states[0] &&
    states[1] === node.states[1] &&
    hasSameChildren &&
    role === node.role &&
    (!isClose || readName(quirks, name) === node.name) &&
    !turned.includes(true);
  return { isSame, extents };
}

/** Whether the list has the same length, the known children are in order, and none of the others is visible. */
async function listsTheSame(
  { peer, quirks }: { readonly peer: Peer; readonly quirks: Quirks },
  node: RawNode,
): Promise<boolean> {
  const { path, childCount, children } = node;
  const refs = await unlessRefused(peer.getChildren(path));
  if (refs?.length !== childCount) return false;
  const known = new Set(children.map((child) => child.path));
  const listed = refs.map((ref) => ref[1]);
  if (listed.filter((one) => known.has(one)).join() !== children.map((child) => child.path).join()) return false;
  const unlisted = refs.filter(([busName, one]) => busName === peer.name && one !== nullPath && !known.has(one));
  const asked = roleNameOf(node) === "menu" ? sampleOf(unlisted) : unlisted;
  const states = await Promise.all(asked.map(([, one]) => unlessRefused(getStates({ peer, quirks }, one))));
  return states.every((one) => one === undefined || !isShown(quirks, one));
}

/** A sample: programs have hundreds of items in closed menus. */
function sampleOf<T>(all: readonly T[]): readonly T[] {
  const step = Math.max(1, Math.floor(all.length / maxSamples));
  return all.filter((_, index) => index % step === 0 || index === all.length - 1);
}

/** Whether something hidden disappeared or became visible. */
function isTurned(quirks: Quirks, node: RawNode, states: StateBits | undefined): boolean {
  return states === undefined || isNodeShown(quirks, { ...node, states });
}

export function isSameExtents(one: Extents | undefined, other: Extents): boolean {
  return one?.every((part, index) => part === other[index]) === true;
}
