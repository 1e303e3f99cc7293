import type { Action, Invocations } from "./action.ts";
import type { Bounds, Point } from "./bounds.ts";
import type { Role } from "./role.ts";
import type { Source } from "./source.ts";
import type { State } from "./state.ts";
import type { Trait } from "./trait.ts";

/** As ARIA names it. */
export interface Aria {
  /** The role that its author gave it, if the platform's roles have no equal. */
  readonly role?: string | undefined;
  readonly id?: string | undefined;
  /** The ids of what it controls. */
  readonly controls?: readonly string[] | undefined;
}

/** One control as perceived now, without its children: all that acting on it takes. */
export interface SingleElement {
  readonly role: Role;
  readonly platformRole: string;
  /** The label a person would use: its own name, else its label's, else its content's. */
  readonly name: string;
  readonly ownName: string;
  readonly value: string;
  readonly description: string;
  readonly states: ReadonlySet<State>;
  readonly traits?: ReadonlySet<Trait> | undefined;
  /** The visible area in physical screen pixels; undefined if unknown. */
  readonly bounds: Bounds | undefined;
  /** Where to click; undefined if no part of it is on the screen. */
  readonly clickPoint: Point | undefined;
  readonly actions: readonly Action[];
  readonly platformActions: readonly string[];
  readonly invocations: Invocations;
  /** The keyboard shortcut in the usual notation, such as Ctrl+S. */
  readonly shortcut: string;
  /** Automation id, accessible id or DOM id; empty if there is none. */
  readonly platformId: string;
  /** Who perceives it; its source also acts on it. */
  readonly source: Source;
  /** The run of the application, window or page that it ends with. */
  readonly life: string;
  /** Identifies it while its life lasts, among the elements of all sources. Only its source parses it. */
  readonly handle: string;
  /** How sure a picture's reader is of it, 0 to 1; undefined for what the application itself tells. */
  readonly certainty?: number | undefined;
  /** Its index among siblings of the same role and name, including hidden ones, and their count. */
  readonly alikeIndex: number;
  readonly alikeCount: number;
  /** Its position, comparable with that of a glimpse alone; set where it is compared, as for pictures. */
  readonly place?: string | undefined;
  /** What a page says of its meaning beyond role, name and states; undefined if nothing. */
  readonly aria?: Aria | undefined;
  /** For a web document: the URL without its fragment. */
  readonly url: string;
}

/** One control as perceived now, with everything inside it. */
export interface Element extends SingleElement {
  readonly children: readonly Element[];
}

/** The properties of an element of which only name and place are known. */
export const blankElement = {
  platformRole: "",
  value: "",
  description: "",
  states: new Set<never>(),
  actions: [],
  platformActions: [],
  invocations: {},
  shortcut: "",
  platformId: "",
  alikeIndex: 0,
  alikeCount: 1,
  url: "",
  children: [],
} as const satisfies Partial<Element>;

/** All nodes in reading order; parents precede children. */
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
  /** Outermost first. */
  readonly ancestors: readonly Element[];
}

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

/** A paragraph of a document is named by its text: what is typed there changes the name, so nothing finds it again. */
export function isParagraph({ role, states }: Pick<Element, "role" | "states">): boolean {
  return role === "text" && states.has("editable") && !states.has("secret");
}
