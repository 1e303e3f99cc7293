import type { CacheItem, Extents, NamedAction } from "./protocol.ts";
import { toStateBits } from "./protocol.ts";
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
}

/** What costs a call of its own for each element, and is asked only for what will be shown. */
interface RawDetails {
  extents?: Extents;
  actions?: readonly NamedAction[];
  text?: string;
  /** The text of a field that is called a password but shows its text: kept only to take it out of everything else. */
  secretText?: string;
  numericValue?: number;
  label?: string;
  attributes?: ReadonlyMap<string, string>;
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
    name,
    role,
    description,
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

/** From here on sisters are told apart by their place: of a long list only what is in view is read. */
const maxRanked = 100;

export function isLong(node: RawNode): boolean {
  return node.childCount > maxRanked || node.children.length > maxRanked;
}

export function roleNameOf(node: RawNode): string {
  return roleNames[node.role] ?? "unknown";
}

const fieldHolders = new WeakMap<RawNode, boolean>();

/** Whether a field that a person can write in is somewhere inside. Asked of every level, so each answer is kept. */
export function holdsField(node: RawNode): boolean {
  const known = fieldHolders.get(node);
  if (known !== undefined) return known;
  const holds = node.children.some((child) => hasState(child.states, "editable") || holdsField(child));
  fieldHolders.set(node, holds);
  return holds;
}

export function* walkNodes(root: RawNode): Generator<RawNode> {
  yield root;
  for (const child of root.children) yield* walkNodes(child);
}
