import type { CacheItem, Extents, NamedAction } from "./protocol.ts";
import { toStateBits } from "./protocol.ts";
import { hasState, type StateBits } from "./vocabulary.ts";

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

/** Hangs every node under its parent, in the parent's order. Returns the nodes that have children the list lacks. */
export function linkNodes(nodes: ReadonlyMap<string, RawNode>): RawNode[] {
  for (const node of nodes.values()) {
    if (node.path !== node.parentPath) nodes.get(node.parentPath)?.children.push(node);
  }
  const incomplete: RawNode[] = [];
  for (const node of nodes.values()) {
    node.children.sort((a, b) => a.indexInParent - b.indexInParent);
    if (node.childCount > node.children.length && !hasState(node.states, "managesDescendants")) incomplete.push(node);
  }
  return incomplete;
}

export function* walkNodes(root: RawNode): Generator<RawNode> {
  yield root;
  for (const child of root.children) yield* walkNodes(child);
}
