import { maskSecrets } from "../../../model/secrets-in-text.ts";
import { unlessRefused } from "../dbus/bus.ts";
import type { Value } from "../dbus/reader.ts";
import {
  type CacheItem,
  type Extents,
  isInterface,
  type NamedAction,
  nullPath,
  type ObjectRef,
  type Peer,
  screenCoordinates,
  toStateBits,
} from "./peer.ts";
import { isShown, type Quirks } from "./quirks.ts";
import { addState, hasState, roleNames, type StateBits } from "./vocabulary.ts";

/** One accessible object as reported, before interpretation. */
export interface RawNode {
  readonly path: string;
  parentPath: string;
  indexInParent: number;
  childCount: number;
  readonly interfaces: readonly string[];
  readonly name: string;
  readonly role: number;
  readonly description: string;
  readonly states: StateBits;
  children: RawNode[];
  details: RawDetails;
  /** Whether only the properties that distinguish it from its siblings are known. */
  readonly isBrief?: boolean;
  /** Whether it has more children than listed: only the visible ones were read. */
  isReadInPart?: boolean;
}

/** Properties that cost a call each, requested only for elements that will be shown. */
interface RawDetails {
  extents?: Extents;
  actions?: readonly NamedAction[];
  text?: string;
  /**
   * The text of a field that is named like a password but shows its text: kept only to remove it from all other texts.
   */
  secretText?: string;
  /** Only the preceding words mark it as secret. */
  isSecretInSight?: boolean;
  /** Its text was withheld because of these words alone. */
  isTextWithheld?: boolean;
  numericValue?: number;
  /** The text of a combo box's selected entry. */
  choice?: string;
  label?: string;
  labelPaths?: readonly string[];
  attributes?: ReadonlyMap<string, string>;
  /** The attributes of a landmark or of what is loading, read for their meaning: they identify nothing. */
  meaning?: ReadonlyMap<string, string>;
  /** The ids of what it controls. */
  controls?: readonly string[];
  /** The program's own id for it. */
  id?: string;
  url?: string;
}

/** A node of which some properties were not requested. */
export function makeNode(known: Pick<RawNode, "path" | "role" | "states"> & Partial<RawNode>): RawNode {
  const unread = { parentPath: "", indexInParent: 0, childCount: 0, interfaces: [], name: "", description: "" };
  return { ...unread, children: [], details: {}, ...known };
}

export function nodeFromCache(item: CacheItem): RawNode {
  const [ref, , parent, indexInParent, childCount, interfaces, name, role, description, states] = item;
  return {
    path: ref[1],
    parentPath: parent[1],
    indexInParent,
    childCount,
    interfaces,
    name: maskSecrets(name),
    role,
    description: maskSecrets(description),
    states: toStateBits(states),
    children: [],
    details: {},
  };
}

/**
 * Links every node to its parent, in the parent's order. Returns the nodes whose children are incomplete or unordered
 * (GTK 3 reports index −1 for menu items).
 */
export function linkNodes(nodes: ReadonlyMap<string, RawNode>): RawNode[] {
  for (const node of nodes.values()) {
    if (node.path !== node.parentPath && !isDead(node)) nodes.get(node.parentPath)?.children.push(node);
  }
  const incomplete: RawNode[] = [];
  for (const node of nodes.values()) {
    const { children } = node;
    children.sort((a, b) => a.indexInParent - b.indexInParent);
    const isOrdered = children.every(({ indexInParent }, index) => {
      return indexInParent >= 0 && indexInParent !== children[index - 1]?.indexInParent;
    });
    const isWhole = node.childCount <= children.length && isOrdered;
    if (!isWhole && !hasState(node.states, "managesDescendants")) incomplete.push(node);
  }
  return incomplete;
}

/** Firefox keeps a reloaded page in its cache, in place of the new one, with −1 children. */
function isDead(node: RawNode): boolean {
  return hasState(node.states, "defunct") || (node.childCount < 0 && !hasState(node.states, "managesDescendants"));
}

const openers = new Set(["menu", "combo box"]);

/**
 * Swing lists the content of an open menu or drop-down list twice: in its opener and in a box of the window. It stays
 * with the opener, and a box with nothing else is removed, so that its siblings do not seem to move. Paths are
 * compared, because two concurrent walks create two nodes for one object. Parents precede children in `nodes`.
 */
export function keepOneParent(nodes: readonly RawNode[]): readonly RawNode[] {
  if (new Set(nodes.map(({ path }) => path)).size === nodes.length) return nodes;
  const once = [...new Set(nodes)];
  const parents = new Map<string, RawNode>();
  for (const parent of once) {
    for (const { path } of parent.children) {
      if (!parents.has(path) || openers.has(roleNameOf(parent))) parents.set(path, parent);
    }
  }
  const husks = new Set<RawNode>();
  for (const parent of once.toReversed()) {
    const { children } = parent;
    parent.children = children.filter((child) => parents.get(child.path) === parent && !husks.has(child));
    if (children.length > 0 && parent.children.length === 0) husks.add(parent);
  }
  const kept = new Set(once.flatMap(({ children }) => children));
  return once.filter((node) => kept.has(node) || !parents.has(node.path));
}

/** From this count on siblings are ranked by position: only the visible part of a long list is read. */
const maxRanked = 100;

export function isLong(node: RawNode): boolean {
  return node.childCount > maxRanked || node.children.length > maxRanked || node.isReadInPart === true;
}

export function roleNameOf(node: RawNode): string {
  return roleNames[node.role] ?? "unknown";
}

export function isNodeShown(quirks: Quirks, node: RawNode): boolean {
  return isShown(quirks, node.states) || isIconOfView(quirks, node);
}

/** GTK 3 omits SHOWING for icons of an icon view; scrolled-away ones have no position. */
export function isIconOfView(quirks: Quirks, node: RawNode): boolean {
  const isIcon = quirks.hidesIcons && roleNameOf(node) === "icon" && hasState(node.states, "selectable");
  return isIcon && hasState(node.states, "visible");
}

/** Whether it is editable. A custom GTK 4 widget may have the interface, but neither role nor state. */
export function isWritable(node: RawNode): boolean {
  return hasState(node.states, "editable") || isBareField(node);
}

export function isBareField(node: RawNode): boolean {
  return roleNameOf(node) === "filler" && isInterface(node.interfaces, "EditableText");
}

const typesWithParts = new Set(["date", "time", "datetime-local", "month", "week"]);

/** A page's date or time: one field, though its parts may be editable too. */
export function isDateField({ details }: RawNode): boolean {
  return typesWithParts.has(details.attributes?.get("text-input-type") ?? "");
}

const fieldHolders = new WeakMap<RawNode, boolean>();

/** Whether it contains an editable field. Cached, since every level asks. */
export function holdsField(node: RawNode): boolean {
  const known = fieldHolders.get(node);
  if (known !== undefined) return known;
  const holds = node.children.some((child) => isWritable(child) || holdsField(child));
  fieldHolders.set(node, holds);
  return holds;
}

export function* walkNodes(root: RawNode): Generator<RawNode> {
  yield root;
  for (const child of root.children) yield* walkNodes(child);
}

/** The state of reading one application's tree. */
export interface Walk {
  readonly peer: Peer;
  readonly quirks: Quirks;
  readonly includeHidden: boolean;
  readonly nodes: Map<string, RawNode>;
  /** Descriptions of what was left out, by the path of its container. */
  readonly cuts: Map<string, string>;
}

/** The states of an object of this application that was not read before. */
export async function readStates(
  { peer, quirks, nodes }: Walk,
  [busName, path]: ObjectRef,
): Promise<StateBits | undefined> {
  if (busName !== peer.name || path === nullPath || nodes.has(path)) return undefined;
  return unlessRefused(getStates({ peer, quirks }, path));
}

/** An object's states; what has no size shows if the toolkit says so only of what has one. */
export async function getStates({ peer, quirks }: Pick<Walk, "peer" | "quirks">, path: string): Promise<StateBits> {
  const states = await peer.getStates(path);
  if (!quirks.hidesEmptyBoxes || hasState(states, "showing") || !hasState(states, "visible")) return states;
  const [, , width, height] = (await unlessRefused(peer.getExtents(path, screenCoordinates))) ?? unmeasured;
  return width <= 0 || height <= 0 ? addState(states, "showing") : states;
}

const unmeasured: Extents = [0, 0, 1, 1];

/** Reads an object; if `isBrief`, only what distinguishes a hidden one from its siblings. */
export async function readNode(
  walk: Walk,
  [, path]: ObjectRef,
  states: StateBits,
  parentPath: string,
  indexInParent: number,
  isBrief = false,
): Promise<RawNode | undefined> {
  const { peer, quirks } = walk;
  const replies = await unlessRefused(
    Promise.all([
      peer.getRole(path),
      peer.getProperty(path, "Accessible", "Name"),
      isBrief ? [] : peer.getInterfaces(path),
      isBrief ? "" : peer.getProperty(path, "Accessible", "Description"),
      isBrief ? 0 : peer.getProperty(path, "Accessible", "ChildCount"),
    ]),
  );
  if (replies === undefined) return undefined;
  const [role, name, interfaces, description, childCount] = replies;
  const node = makeNode({
    path,
    parentPath,
    indexInParent,
    childCount: typeof childCount === "number" ? childCount : 0,
    interfaces,
    name: readName(quirks, name),
    role,
    description: typeof description === "string" ? description : "",
    states,
    isBrief,
  });
  walk.nodes.set(path, node);
  return node;
}

export function readName(quirks: Quirks, reply: Value): string {
  if (typeof reply !== "string") return "";
  return quirks.changingPart === undefined ? reply : reply.replace(quirks.changingPart, "");
}
