import { isManager } from "../atspi/collect.ts";
import { isNodeShown, type RawNode } from "../atspi/nodes.ts";
import type { Quirks } from "../atspi/quirks.ts";
import { isFoundByPlace } from "./check-node.ts";
import { type DirtyNodes, stronger } from "./dirty-nodes.ts";
import type { Level } from "./reread.ts";

/** How many ancestors of a change are rechecked: toolkits build names from content. */
const spine = 3;

/** Levels that say nothing about the surroundings. */
const passing: ReadonlySet<Level> = new Set(["count", "place"]);

export interface Known {
  readonly frames: readonly RawNode[];
  readonly quirks: Quirks;
  /** Whether it reports everything that becomes visible. */
  readonly isReliable: boolean;
  readonly isReporting: boolean;
  readonly inView: ReadonlySet<string>;
}

/**
 * Decides how much of each node to reread. Descendants of a drawn area that were not visible may have become visible:
 * their positions are requested.
 */
export function planReread(
  { frames, quirks, isReliable, isReporting, inView }: Known,
  dirty: DirtyNodes,
): (node: RawNode) => Level {
  const plan = new Map<RawNode, Level>();
  const askOfChild = (node: RawNode, child: RawNode): Level | undefined => {
    if (!dirty.isDrawn(node)) return dirty.isChooser(node) ? "glance" : undefined;
    if (dirty.isChooser(node)) return "check";
    if (isFoundByPlace(node)) return "place";
    // What moves is drawn anew where it was, but Qt moves scrolled-away content along and draws nothing there.
    if (inView.has(child.path)) return isReporting || !quirks.reportsCheaply ? undefined : "place";
    return isReliable && !isNodeShown(quirks, child) ? undefined : "check";
  };
  /** The distance to the nearest dirty descendant, not counting position checks; Infinity if there is none. */
  const visit = (node: RawNode, given: Level | undefined, isUnseen: boolean): number => {
    const own = stronger(dirty.levelAt(node), given);
    const isPlaced = isUnseen || given === "place";
    let nearest = Number.POSITIVE_INFINITY;
    for (const child of node.children) {
      const asked = stronger(isPlaced ? "place" : undefined, isUnseen ? undefined : askOfChild(node, child));
      const isChildUnseen = isUnseen || (asked !== undefined && !inView.has(child.path));
      nearest = Math.min(nearest, visit(child, asked, isChildUnseen) + 1);
    }
    const way = own === "place" || nearest <= spine ? "check" : "pass";
    const planned = stronger(own, nearest < Number.POSITIVE_INFINITY ? way : undefined);
    // A cell that shows an error or nothing now goes on telling its former text: only a search finds that out.
    const isSheet = quirks.cellsAreNamedByAddress && isManager(node);
    const level = isSheet && planned !== undefined && !passing.has(planned) ? stronger(planned, "children") : planned;
    if (level !== undefined) plan.set(node, level === "self" && dirty.isDrawn(node) ? "children" : level);
    return own === undefined || passing.has(own) ? nearest : 0;
  };
  for (const frame of frames) visit(frame, undefined, false);
  return (node) => plan.get(node) ?? "keep";
}

/** What is reread in addition to events and drawing. */
export interface Scope {
  /** Check states and child counts of everything, and reread what differs. */
  readonly isSurvey: boolean;
  readonly hasMoved: boolean;
  /** Which slice of the tree is reread closely this time. */
  readonly slice: number | undefined;
}

/** How many surveys make up one close reread of everything. */
export const sliceCount = 8;

const onTheMove: Readonly<Partial<Record<Level, Level>>> = { keep: "place", pass: "check", count: "check" };
const atAGlance: Readonly<Partial<Record<Level, Level>>> = { keep: "glance", pass: "glance", count: "glance" };

/** Adds what the scope requires. Hidden nodes are found through their parent. */
export function widenPlan(
  planned: (node: RawNode) => Level,
  { frames, quirks }: Pick<Known, "frames" | "quirks">,
  { isSurvey, hasMoved, slice }: Scope,
): (node: RawNode) => Level {
  if (!isSurvey && !hasMoved) return planned;
  const close = new Set<RawNode>();
  let count = 0;
  const choose = (node: RawNode): void => {
    if (!isNodeShown(quirks, node)) return;
    if (count % sliceCount === slice) close.add(node);
    count += 1;
    node.children.forEach(choose);
  };
  if (slice !== undefined) frames.forEach(choose);
  const wider = isSurvey ? atAGlance : onTheMove;
  return (node) => {
    const level = planned(node);
    if (level === "keep" && !isNodeShown(quirks, node)) return level;
    const widened = wider[level] ?? level;
    return widened === "glance" && close.has(node) ? "self" : widened;
  };
}
