import type { Action } from "../model/action.ts";
import { type Bounds, centreOf, containsPoint } from "../model/bounds.ts";
import { type Element, flatten } from "../model/element.ts";
import { kindOfRole, type Role } from "../model/role.ts";
import { fold, isSemantic } from "./fold.ts";

export interface ElementQuery {
  readonly roles?: ReadonlySet<Role> | undefined;
  readonly bbox?: Bounds | undefined;
  /** Levels below the window, as displayed. */
  readonly depth?: number | undefined;
  readonly isInteractive?: boolean | undefined;
  /** Everything the platform reports, without folding. */
  readonly isWhole?: boolean | undefined;
  /** Also containers that only tell what a page means by them. */
  readonly isSemantic?: boolean | undefined;
  readonly max?: number | undefined;
}

export interface Selection {
  readonly elements: readonly Element[];
  /** How many exceeded `max`. */
  readonly leftOut: number;
}

/** Selects elements below a window as a forest: the children of omitted elements move up. */
export function selectElements(root: Element, query: ElementQuery): Selection {
  const top = query.isWhole ? root.children : foldAll(root, query.isSemantic === true);
  const wanted = keepWanted(top, (element) => isWanted(element, query));
  const shallow = query.depth === undefined ? wanted : cutDepth(wanted, query.depth);
  return query.max === undefined ? { elements: shallow, leftOut: 0 } : cutCount(shallow, query.max);
}

function foldAll({ children }: Element, keepsSemantic: boolean): Element[] {
  return children.flatMap((child) => (keepsSemantic ? fold(child, isSemantic) : fold(child)));
}

function isWanted(element: Element, query: ElementQuery): boolean {
  if (query.roles !== undefined && !query.roles.has(element.role)) return false;
  if (query.isInteractive && !isInteractive(element)) return false;
  if (query.bbox !== undefined)
    return element.bounds !== undefined && containsPoint(query.bbox, centreOf(element.bounds));
  return true;
}

const operations: readonly Action[] = ["press", "toggle", "expand", "set", "increment", "menu"];

/** A control, or a named element that can be acted on, such as a menu or a clickable box of a page. */
function isInteractive(element: Element): boolean {
  if (kindOfRole(element.role) === "control") return true;
  const holdsControl = element.children.some((child) => kindOfRole(child.role) === "control");
  if (element.role === "text" && holdsControl) return false;
  return (
    element.name !== "" && element.role !== "window" && operations.some((action) => element.actions.includes(action))
  );
}

function keepWanted(elements: readonly Element[], isKept: (element: Element) => boolean): Element[] {
  return elements.flatMap((element) => {
    const children = keepWanted(element.children, isKept);
    return isKept(element) ? [{ ...element, children }] : children;
  });
}

function cutDepth(elements: readonly Element[], depth: number): Element[] {
  if (depth <= 0) return [];
  return elements.map((element) => ({ ...element, children: cutDepth(element.children, depth - 1) }));
}

/** Keeps the first `max` elements in reading order; parents precede children. */
function cutCount(elements: readonly Element[], max: number): Selection {
  let room = max;
  let leftOut = 0;
  const cut = (list: readonly Element[]): Element[] =>
    list.flatMap((element) => {
      if (room <= 0) {
        leftOut += flatten([element]).length;
        return [];
      }
      room -= 1;
      return [{ ...element, children: cut(element.children) }];
    });
  return { elements: cut(elements), leftOut };
}
