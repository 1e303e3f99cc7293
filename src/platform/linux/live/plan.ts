import { isNodeShown, type RawNode } from "../atspi/nodes.ts";
import type { Quirks } from "../atspi/quirks.ts";
import { isFoundByPlace } from "./facts.ts";
import type { Level } from "./look-again.ts";
import { type Marks, stronger } from "./marks.ts";

/** So many containers of what changed are asked again too: toolkits make names of what is inside. */
const spine = 3;

/** What says nothing of what is around it. */
const passing: ReadonlySet<Level> = new Set(["count", "place"]);

/** What is known of an application when it is decided where to look. */
export interface Known {
  readonly frames: readonly RawNode[];
  readonly quirks: Quirks;
  /** Whether it tells by itself of all that comes into view. */
  readonly isReliable: boolean;
  /** The paths of what is in view. */
  readonly inView: ReadonlySet<string>;
}

/**
 * How closely each node has to be looked at. What lies in something that was drawn and was not in view may have come into
 * view: where it is now has to be asked.
 */
export function planLook({ frames, quirks, isReliable, inView }: Known, marks: Marks): (node: RawNode) => Level {
  const plan = new Map<RawNode, Level>();
  const askOfChild = (node: RawNode, child: RawNode): Level | undefined => {
    if (!marks.isDrawn(node)) return marks.isChooser(node) ? "glance" : undefined;
    if (marks.isChooser(node)) return "check";
    if (isFoundByPlace(node)) return "place";
    // Qt moves what is scrolled out of its view along with the rest, and draws nothing there.
    if (inView.has(child.path)) return isReliable || !quirks.reportsCheaply ? undefined : "place";
    return isReliable && !isNodeShown(quirks, child) ? undefined : "check";
  };
  /** How near below is something marked, more closely than by its place; Infinity where nothing is. */
  const visit = (node: RawNode, given: Level | undefined, isUnseen: boolean): number => {
    const own = stronger(marks.levelAt(node), given);
    const isPlaced = isUnseen || given === "place";
    let nearest = Number.POSITIVE_INFINITY;
    for (const child of node.children) {
      const asked = stronger(isPlaced ? "place" : undefined, isUnseen ? undefined : askOfChild(node, child));
      const isChildUnseen = isUnseen || (asked !== undefined && !inView.has(child.path));
      nearest = Math.min(nearest, visit(child, asked, isChildUnseen) + 1);
    }
    const way = own === "place" || nearest <= spine ? "check" : "pass";
    const level = stronger(own, nearest < Number.POSITIVE_INFINITY ? way : undefined);
    if (level !== undefined) plan.set(node, level === "self" && marks.isDrawn(node) ? "children" : level);
    return own === undefined || passing.has(own) ? nearest : 0;
  };
  for (const frame of frames) visit(frame, undefined, false);
  return (node) => plan.get(node) ?? "keep";
}

/** What is looked at besides what was told and drawn. */
export interface Scope {
  /** Everything that is known is asked for its states and the number of its children, and closely where they are others. */
  readonly isSurvey: boolean;
  /** Everything is somewhere else than it was. */
  readonly hasMoved: boolean;
  /** Which part of everything is looked at closely this time. */
  readonly slice: number | undefined;
}

/** So many surveys make one close look at everything. */
export const sliceCount = 8;

const onTheMove: Readonly<Partial<Record<Level, Level>>> = { keep: "place", pass: "check", count: "check" };
const atAGlance: Readonly<Partial<Record<Level, Level>>> = { keep: "glance", pass: "glance", count: "glance" };

/** The plan with everything else that the scope asks for. What is hidden is found by the one that it is in. */
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
