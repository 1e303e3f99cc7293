import { maskSecrets } from "../../../model/secrets-in-text.ts";
import type { CacheItem, Extents, NamedAction } from "./protocol.ts";
import { isInterface, toStateBits } from "./protocol.ts";
import { isShown, type Quirks } from "./quirks.ts";
import { hasState, roleNames, type StateBits } from "./vocabulary.ts";

/** One accessible object as its application reports it, before any interpretation. */
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
  /** Whether only so much of it is known as tells it from its sisters. */
  readonly isBrief?: boolean;
  /** Whether it holds more than its children here: so many that only those in view were read. */
  isReadInPart?: boolean;
}

/** What costs a call of its own for each element, and is asked only for what will be shown. */
interface RawDetails {
  extents?: Extents;
  actions?: readonly NamedAction[];
  text?: string;
  /** The text of a field that is called a password but shows its text: kept only to take it out of everything else. */
  secretText?: string;
  /** Only the words before it say that it is secret. */
  isSecretInSight?: boolean;
  /** Its text was taken for secret by these words alone. */
  isTextWithheld?: boolean;
  numericValue?: number;
  /** The text of a combo box's chosen entry. */
  choice?: string;
  label?: string;
  /** What is its label. */
  labelPaths?: readonly string[];
  attributes?: ReadonlyMap<string, string>;
  /** What the program calls it among programs. */
  id?: string;
  url?: string;
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
 * Hangs every node under its parent, in the parent's order. Returns the nodes whose children the list does not tell: some
 * are missing, or their order is unknown (GTK 3 gives −1 for the items of menus).
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

/** Firefox keeps a page that was reloaded in its cache, in the place of the new one, with −1 children. */
function isDead(node: RawNode): boolean {
  return hasState(node.states, "defunct") || (node.childCount < 0 && !hasState(node.states, "managesDescendants"));
}

const openers = new Set(["menu", "combo box"]);

/**
 * Swing lists what is in an open menu or list of choices twice: in its opener and in a box of the window. It stays with the
 * opener, and a box that held nothing else goes: its sisters must not look as if they had moved. Paths are compared, because
 * two walks that meet the same object at the same time each make a node of it. `nodes` has parents before what they hold.
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

/** From here on sisters are told apart by their place: of a long list only what is in view is read. */
const maxRanked = 100;

export function isLong(node: RawNode): boolean {
  return node.childCount > maxRanked || node.children.length > maxRanked || node.isReadInPart === true;
}

export function roleNameOf(node: RawNode): string {
  return roleNames[node.role] ?? "unknown";
}

/** Whether a node is on the screen, as far as its states tell. */
export function isNodeShown(quirks: Quirks, node: RawNode): boolean {
  return isShown(quirks, node.states) || isIconOfView(quirks, node);
}

/** GTK 3 forgets SHOWING for the icons of an icon view; those that are scrolled away have no place. */
export function isIconOfView(quirks: Quirks, node: RawNode): boolean {
  const isIcon = quirks.hidesIcons && roleNameOf(node) === "icon" && hasState(node.states, "selectable");
  return isIcon && hasState(node.states, "visible");
}

/** Whether a person can write in it. A GTK 4 widget of an application's own may have the interface, and neither role nor state. */
export function isWritable(node: RawNode): boolean {
  return hasState(node.states, "editable") || isBareField(node);
}

export function isBareField(node: RawNode): boolean {
  return roleNameOf(node) === "filler" && isInterface(node.interfaces, "EditableText");
}

const fieldHolders = new WeakMap<RawNode, boolean>();

/** Whether a field that a person can write in is somewhere inside. Asked of every level, so each answer is kept. */
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
