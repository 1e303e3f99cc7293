import { type Bounds, containsBounds, intersect } from "../../../model/bounds.ts";
import type { Element } from "../../../model/element.ts";
import type { RawNode } from "../atspi/nodes.ts";
import { type Level, levels } from "./reread.ts";

/** How much of a node to reread, by event type; the node itself for all others. */
const levelOfMember: Readonly<Record<string, Level | undefined>> = {
  StateChanged: "check",
  TextChanged: "check",
  BoundsChanged: "check",
  SelectionChanged: "check",
  ActiveDescendantChanged: "check",
  ChildrenChanged: "children",
  VisibleDataChanged: "whole",
  RowReordered: "whole",
  ColumnReordered: "whole",
  LoadComplete: "whole",
};
/** Events that mean that the source's children changed state. */
const choosing: ReadonlySet<string> = new Set(["SelectionChanged", "ActiveDescendantChanged"]);

/** With more, everything is reread. */
const maxDirtyNodes = 1000;

export class DirtyNodes {
  private levels = new Map<string, Level>();
  private readonly choosers = new Set<string>();
  /** Nodes under a drawn area. */
  private readonly drawn = new Set<string>();
  /** Whether there are too many to track. */
  isOverfull = false;

  get isEmpty(): boolean {
    return this.levels.size === 0 && !this.isOverfull;
  }

  addEvent(path: string, member: string): void {
    if (choosing.has(member) && this.choosers.size < maxDirtyNodes) this.choosers.add(path);
    this.add(path, levelOfMember[member] ?? "self");
  }

  add(path: string, level: Level): void {
    const known = this.levels.get(path);
    if (known !== undefined && isAtLeast(known, level)) return;
    if (known === undefined && this.levels.size >= maxDirtyNodes) this.isOverfull = true;
    else this.levels.set(path, level);
  }

  addDrawn(path: string): void {
    this.drawn.add(path);
    this.add(path, "check");
  }

  isDrawn(node: RawNode): boolean {
    return this.drawn.has(node.path);
  }

  addAll(other: DirtyNodes): void {
    this.addMarked(other);
    this.isOverfull ||= other.isOverfull;
  }

  addMarked(other: DirtyNodes): void {
    for (const [path, level] of other.levels) this.add(path, level);
    for (const path of other.choosers) this.choosers.add(path);
  }

  /** Removes nodes that `other` covers at least as thoroughly. */
  forget(other: DirtyNodes): void {
    for (const [path, level] of other.levels) {
      const own = this.levels.get(path);
      if (own !== undefined && isAtLeast(level, own)) this.levels.delete(path);
    }
  }

  /** Removes and returns the nodes that `known` lacks. */
  takeUnknown(known: ReadonlySet<string>): string[] {
    const unknown = [...this.levels.keys()].filter((path) => !known.has(path));
    for (const path of unknown) this.levels.delete(path);
    return unknown;
  }

  levelAt(node: RawNode): Level | undefined {
    return this.levels.get(node.path);
  }

  isChooser(node: RawNode): boolean {
    return this.choosers.has(node.path);
  }
}

function isAtLeast(one: Level, other: Level): boolean {
  return levels.indexOf(one) >= levels.indexOf(other);
}

export function stronger(one: Level | undefined, other: Level | undefined): Level | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isAtLeast(one, other) ? one : other;
}

/**
 * Marks the nodes under drawn areas. Distant ancestors only need their child count checked: the nearest container of
 * the whole area is checked closely, and everything in it that the area touches.
 */
export function addDrawnAreas(dirty: DirtyNodes, root: Element, areas: readonly Bounds[], prefix: string): void {
  const pathOf = ({ handle }: Element): string => handle.slice(prefix.length);
  for (const area of areas) {
    const touch = (element: Element): void => {
      if (element.bounds !== undefined && intersect(element.bounds, area) !== undefined)
        dirty.addDrawn(pathOf(element));
      element.children.forEach(touch);
    };
    const narrow = (element: Element): void => {
      const nearer = element.children.filter((child) => holdsArea(child, area));
      if (nearer.length === 0) return touch(element);
      dirty.add(pathOf(element), "count");
      nearer.forEach(narrow);
    };
    narrow(root);
  }
}

/** A box without a position may contain something that holds the area. */
function holdsArea({ bounds, children }: Element, area: Bounds): boolean {
  return bounds === undefined ? children.some((child) => holdsArea(child, area)) : containsBounds(bounds, area);
}
