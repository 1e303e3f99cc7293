import { type Bounds, containsBounds, intersect } from "../../../model/bounds.ts";
import type { Element } from "../../../model/element.ts";
import type { RawNode } from "../atspi/nodes.ts";
import type { Level } from "./look-again.ts";

/** So closely an object is looked at again that has said something, by what it said; at itself for all else. */
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
/** What says that others than its source have changed: the states of its children. */
const choosing: ReadonlySet<string> = new Set(["SelectionChanged", "ActiveDescendantChanged"]);

const strength: Readonly<Record<Level, number>> = {
  keep: 0,
  pass: 1,
  count: 2,
  glance: 3,
  place: 4,
  check: 5,
  self: 6,
  children: 7,
  whole: 8,
};
/** More are not told apart any more: then everything is looked at. */
const maxMarks = 1000;

/** Where to look again. */
export class Marks {
  private levels = new Map<string, Level>();
  private readonly choosers = new Set<string>();
  /** What lies under something that was drawn. */
  private readonly drawn = new Set<string>();
  /** Whether there are more than can be told apart. */
  isOverfull = false;

  get isEmpty(): boolean {
    return this.levels.size === 0 && !this.isOverfull;
  }

  hear(path: string, member: string): void {
    if (choosing.has(member) && this.choosers.size < maxMarks) this.choosers.add(path);
    this.add(path, levelOfMember[member] ?? "self");
  }

  add(path: string, level: Level): void {
    const known = this.levels.get(path);
    if (known !== undefined && strength[known] >= strength[level]) return;
    if (known === undefined && this.levels.size >= maxMarks) this.isOverfull = true;
    else this.levels.set(path, level);
  }

  addDrawn(path: string): void {
    this.drawn.add(path);
    this.add(path, "check");
  }

  isDrawn(node: RawNode): boolean {
    return this.drawn.has(node.path);
  }

  addAll(other: Marks): void {
    this.addMarked(other);
    this.isOverfull ||= other.isOverfull;
  }

  addMarked(other: Marks): void {
    for (const [path, level] of other.levels) this.add(path, level);
    for (const path of other.choosers) this.choosers.add(path);
  }

  /** Takes out what another has, at least as closely. */
  forget(other: Marks): void {
    for (const [path, level] of other.levels) {
      const own = this.levels.get(path);
      if (own !== undefined && strength[level] >= strength[own]) this.levels.delete(path);
    }
  }

  /** Takes out what `known` does not have. */
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

export function stronger(one: Level | undefined, other: Level | undefined): Level | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return strength[one] >= strength[other] ? one : other;
}

/**
 * Marks what lies under something that was drawn. Of what it lies in, far around it, only the number of children may tell of
 * it: the nearest container that holds all of the area is looked at closely, and whatever in it the area touches.
 */
export function markDrawn(marks: Marks, root: Element, areas: readonly Bounds[], prefix: string): void {
  const pathOf = ({ runtimeId }: Element): string => runtimeId.slice(prefix.length);
  for (const area of areas) {
    const touch = (element: Element): void => {
      if (element.bounds !== undefined && intersect(element.bounds, area) !== undefined)
        marks.addDrawn(pathOf(element));
      element.children.forEach(touch);
    };
    const narrow = (element: Element): void => {
      const nearer = element.children.filter((child) => holdsArea(child, area));
      if (nearer.length === 0) return touch(element);
      marks.add(pathOf(element), "count");
      nearer.forEach(narrow);
    };
    narrow(root);
  }
}

/** A box without a place of its own may have something in it that holds the area. */
function holdsArea({ bounds, children }: Element, area: Bounds): boolean {
  return bounds === undefined ? children.some((child) => holdsArea(child, area)) : containsBounds(bounds, area);
}
