import type { TreeNode } from "./tree.ts";

/** A mutable node that keeps its identity. */
export interface DriftNode
  extends Omit<TreeNode, "children" | "name" | "id" | "class" | "bounds" | "href" | "attributes"> {
  readonly key: string;
  /** The node that this is an exact duplicate of. */
  twinOf?: string;
  href?: string;
  attributes?: Readonly<Record<string, string>>;
  name: string;
  id: string;
  class: string;
  bounds: { x: number; y: number; width: number; height: number } | undefined;
  children: DriftNode[];
}

export const strengths = [1, 2, 3, 4, 5] as const;
export type Strength = (typeof strengths)[number];

/** How many in a hundred controls each kind of change affects, by strength. */
const percents: Readonly<Record<Strength, number>> = { 1: 1, 2: 2, 3: 4, 4: 7, 5: 10 };

export function makeNumbers(seed: number): () => number {
  let state = seed >>> 0;
  // Mulberry32: small and deterministic.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function copyTree(root: TreeNode): DriftNode {
  let count = 0;
  const copy = ({ children, ...node }: TreeNode): DriftNode => {
    count += 1;
    return {
      ...node,
      key: `k${count}`,
      class: node.class ?? "",
      bounds: node.bounds && { ...node.bounds },
      children: children.map(copy),
    };
  };
  return copy(root);
}

/** An application as its next version might look: some of its controls changed, gone, new, duplicated or moved. */
export function drift(root: TreeNode, strength: Strength, seed: number): DriftNode {
  const tree = copyTree(root);
  const next = makeNumbers(seed);
  const rate = percents[strength] / 100;
  const happens = (share: number): boolean => next() < share;
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(next() * list.length)];
  const words = [...new Set(listAll(tree).flatMap(({ name }) => name.split(/\s+/)))].filter((word) => word.length > 2);
  const names = listAll(tree).flatMap(({ name }) => (name === "" ? [] : [name]));
  let newcomers = 0;

  const relabel = (name: string): string => {
    const kind = next();
    if (kind < 0.15) return `${name}…`;
    if (kind < 0.3) return `${name} (${Math.ceil(next() * 9)})`;
    if (kind < 0.4) return name.toLowerCase() === name ? name.toUpperCase() : name.toLowerCase();
    if (kind < 0.7) return `${name} ${pick(words) ?? "more"}`;
    const parts = name.split(" ");
    parts[Math.floor(next() * parts.length)] = pick(words) ?? "other";
    return parts.join(" ");
  };
  const renew = (node: DriftNode): DriftNode => {
    newcomers += 1;
    return {
      ...node,
      key: `new${newcomers}`,
      bounds: node.bounds && { ...node.bounds },
      children: node.children.map(renew),
    };
  };
  const double = (node: DriftNode): DriftNode => {
    const twin = { ...renew(node), twinOf: node.key };
    twin.children = node.children.map(double);
    return twin;
  };
  /** A new control of the same kind. */
  const replace = (fresh: DriftNode): DriftNode => {
    for (const one of listAll(fresh)) {
      if (one.name !== "") one.name = happens(0.5) ? relabel(one.name) : (pick(names) ?? one.name);
      if (one.id !== "") one.id = `${one.id}-${newcomers}`;
      if (one.href) one.href = `${one.href}-${newcomers}`;
      const attributes = Object.entries(one.attributes ?? {});
      one.attributes = Object.fromEntries(attributes.map(([name, value]) => [name, `${value} ${newcomers}`]));
    }
    return fresh;
  };
  const push = (nodes: readonly DriftNode[], by: number): void => {
    for (const node of nodes.flatMap(listAll)) if (node.bounds !== undefined) node.bounds.y += by;
  };

  const visit = (node: DriftNode): void => {
    for (const child of [...node.children]) visit(child);
    for (const child of [...node.children]) {
      const at = node.children.indexOf(child);
      const height = child.bounds?.height ?? 0;
      const isSmall = listAll(child).length <= 10;
      if (child.name !== "" && happens(rate)) child.name = relabel(child.name);
      if (child.id !== "" && happens(rate / 2)) child.id = `${child.id}-${Math.floor(next() * 100)}`;
      if (child.class !== "" && happens(rate * 2)) child.class = restyle(child.class, next);
      const fate = isSmall ? next() / rate : 1;
      if (fate < 0.33) {
        node.children.splice(at, 1);
        push(node.children.slice(at), -height);
      } else if (fate < 0.45) {
        node.children.splice(happens(0.5) ? at : at + 1, 0, double(child));
        push(node.children.slice(at + 1), height);
      } else if (fate < 0.78) {
        node.children.splice(at, 0, replace(renew(child)));
        push(node.children.slice(at + 1), height);
      }
    }
    if (node.children.length > 1 && happens(rate)) reorder(node, next);
  };
  visit(tree);
  for (const node of listAll(tree)) if (happens(rate / 3)) reparent(tree, node, next);
  const shift = { x: Math.round((next() - 0.5) * 60 * strength), y: Math.round((next() - 0.5) * 60 * strength) };
  const growth = 1 + (next() - 0.5) * 0.08 * strength;
  for (const { bounds } of listAll(tree)) {
    if (bounds === undefined) continue;
    bounds.x = Math.round(bounds.x * growth + shift.x);
    bounds.y = Math.round(bounds.y * growth + shift.y);
    bounds.width = Math.round(bounds.width * growth);
  }
  return tree;
}

export function listAll(node: DriftNode): DriftNode[] {
  return [node, ...node.children.flatMap(listAll)];
}

function restyle(classes: string, next: () => number): string {
  const list = classes.split(/\s+/);
  list[Math.floor(next() * list.length)] = `style-${Math.floor(next() * 1000)}`;
  return list.join(" ");
}

/** Swaps two siblings, including their positions. */
function reorder(node: DriftNode, next: () => number): void {
  const [a, b] = [0, 0].map(() => Math.floor(next() * node.children.length)) as [number, number];
  const [one, other] = [node.children[a], node.children[b]];
  if (one === undefined || other === undefined || one === other) return;
  node.children[a] = other;
  node.children[b] = one;
  if (one.bounds === undefined || other.bounds === undefined) return;
  const by = { x: other.bounds.x - one.bounds.x, y: other.bounds.y - one.bounds.y };
  for (const { bounds } of listAll(one)) if (bounds) Object.assign(bounds, { x: bounds.x + by.x, y: bounds.y + by.y });
  for (const { bounds } of listAll(other))
    if (bounds) Object.assign(bounds, { x: bounds.x - by.x, y: bounds.y - by.y });
}

/** Wraps a control in a new box, or removes the box around it. */
function reparent(tree: DriftNode, node: DriftNode, next: () => number): void {
  const parent = listAll(tree).find(({ children }) => children.includes(node));
  if (parent === undefined) return;
  const at = parent.children.indexOf(node);
  if (next() < 0.6) {
    const isPage = node.tag !== undefined;
    const kind = isPage ? { tag: "div", attributes: {} } : { role: "group" };
    const bounds = node.bounds && { ...node.bounds };
    parent.children[at] = { ...kind, key: `box-${node.key}`, name: "", id: "", class: "", bounds, children: [node] };
  } else if (
    node.children.length > 0 &&
    node.name === "" &&
    ["div", "span", "group"].includes(node.tag ?? node.role ?? "")
  ) {
    parent.children.splice(at, 1, ...node.children);
  }
}
