import { type Bounds, intersect } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";
import { isNodeShown, type RawNode } from "../atspi/nodes.ts";
import type { Quirks } from "../atspi/quirks.ts";
import type { Level } from "./look-again.ts";

/** So closely an object is looked at again that has said something, by what it said; at itself for all else. */
const levelOfMember: Readonly<Record<string, Level | undefined>> = {
  ChildrenChanged: "children",
  VisibleDataChanged: "whole",
  ActiveDescendantChanged: "whole",
  LoadComplete: "whole",
};
/** What says that others than its source have changed: the choice among its children. */
const choosing = "SelectionChanged";
const maxChosenAmong = 100;

const strength: Readonly<Record<Level, number>> = { keep: 0, pass: 1, self: 2, children: 3, whole: 4 };
/** More are not told apart any more: then everything is looked at. */
const maxMarks = 1000;

/** Where to look again. */
export class Marks {
  private levels = new Map<string, Level>();
  private readonly choosers = new Set<string>();
  /** Whether there are more than can be told apart. */
  isOverfull = false;

  get isEmpty(): boolean {
    return this.levels.size === 0 && !this.isOverfull;
  }

  hear(path: string, member: string): void {
    if (member === choosing && this.choosers.size < maxMarks) this.choosers.add(path);
    this.add(path, levelOfMember[member] ?? "self");
  }

  add(path: string, level: Level): void {
    const known = this.levels.get(path);
    if (known !== undefined && strength[known] >= strength[level]) return;
    if (known === undefined && this.levels.size >= maxMarks) this.isOverfull = true;
    else this.levels.set(path, level);
  }

  addAll(other: Marks): void {
    for (const [path, level] of other.levels) this.add(path, level);
    for (const path of other.choosers) this.choosers.add(path);
    this.isOverfull ||= other.isOverfull;
  }

  /** Takes out what `known` does not have. */
  takeUnknown(known: ReadonlySet<string>): string[] {
    const unknown = [...this.levels.keys()].filter((path) => !known.has(path));
    for (const path of unknown) this.levels.delete(path);
    return unknown;
  }

  levelAt(node: RawNode): Level | undefined {
    const level = this.levels.get(node.path);
    return level === undefined || !this.choosers.has(node.path) || node.children.length <= maxChosenAmong
      ? level
      : "whole";
  }

  isChooser(node: RawNode): boolean {
    return this.choosers.has(node.path);
  }
}

/** So many containers of what changed are asked again too: toolkits make names of what is inside. */
const spine = 3;

/** How closely each node has to be looked at. Where `looksAtHidden`, also hidden children of what is looked at closely. */
export function planLook(
  frames: readonly RawNode[],
  marks: Marks,
  quirks: Quirks,
  looksAtHidden: boolean,
): (node: RawNode) => Level {
  const plan = new Map<RawNode, Level>();
  /** How near below is something marked; Infinity where nothing is. */
  const visit = (node: RawNode, given: Level | undefined): number => {
    const own = stronger(marks.levelAt(node), given);
    const isClose = own === "children" && looksAtHidden;
    let nearest = Number.POSITIVE_INFINITY;
    for (const child of node.children) {
      const isAsked = marks.isChooser(node) || (isClose && !isNodeShown(quirks, child));
      nearest = Math.min(nearest, visit(child, isAsked ? "self" : undefined) + 1);
    }
    const below = nearest <= spine ? "self" : nearest < Number.POSITIVE_INFINITY ? "pass" : undefined;
    const level = stronger(own, below);
    if (level !== undefined) plan.set(node, level);
    return own === undefined ? nearest : 0;
  };
  for (const frame of frames) visit(frame, undefined);
  return (node) => plan.get(node) ?? "keep";
}

function stronger(one: Level | undefined, other: Level | undefined): Level | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return strength[one] >= strength[other] ? one : other;
}

/** Marks what lies under something that was drawn. */
export function markDrawn(marks: Marks, root: Element, areas: readonly Bounds[], prefix: string): void {
  for (const { bounds, runtimeId } of flatten([root])) {
    if (bounds !== undefined && areas.some((area) => intersect(area, bounds) !== undefined))
      marks.add(runtimeId.slice(prefix.length), "children");
  }
}
