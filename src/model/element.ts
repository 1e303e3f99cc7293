import type { Action, Invocations } from "./action.ts";
import type { Bounds, Point } from "./bounds.ts";
import type { Role } from "./role.ts";
import type { State } from "./state.ts";

/** One control as it is perceived now. */
export interface Element {
  readonly role: Role;
  /** The platform's own word for the role. */
  readonly platformRole: string;
  /** What a person would call it: its own name, else its label's, else its content's. */
  readonly name: string;
  /** Its own name as the platform gives it, before a label or content stood in for it. */
  readonly ownName: string;
  readonly value: string;
  readonly description: string;
  readonly states: ReadonlySet<State>;
  /** What is seen, in physical screen pixels; undefined where the platform knows none. */
  readonly bounds: Bounds | undefined;
  /** Where to press; undefined when no part of it is on the screen. */
  readonly clickPoint: Point | undefined;
  readonly actions: readonly Action[];
  /** The platform's own action names. */
  readonly platformActions: readonly string[];
  readonly invocations: Invocations;
  /** Keyboard shortcut as people write it, such as Ctrl+S. */
  readonly shortcut: string;
  /** Automation id, accessible id or DOM id; empty where there is none. */
  readonly platformId: string;
  /** Names this very object while its application lives. */
  readonly runtimeId: string;
  /** Which one among its sisters of the same role and name, hidden ones counted too, and how many they are. */
  readonly alikeIndex: number;
  readonly alikeCount: number;
  /** Where it is read for a picture: its place as a glimpse of it gives it. */
  readonly place?: string | undefined;
  /** For a web document: the address without its fragment. */
  readonly url: string;
  readonly children: readonly Element[];
}

/** Everything in reading order: a parent comes before what it holds. */
export function flatten<Node extends { readonly children: readonly Node[] }>(nodes: readonly Node[]): Node[] {
  const list: Node[] = [];
  const visit = (node: Node): void => {
    list.push(node);
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  return list;
}

export interface Placed {
  readonly element: Element;
  /** What it is inside of, the outermost first. */
  readonly ancestors: readonly Element[];
}

/** Everything in reading order, each element with its containers. */
export function listWithPaths(root: Element | undefined): Placed[] {
  const list: Placed[] = [];
  const visit = (element: Element, ancestors: readonly Element[]): void => {
    list.push({ element, ancestors });
    const inner = [...ancestors, element];
    for (const child of element.children) visit(child, inner);
  };
  if (root !== undefined) visit(root, []);
  return list;
}
