import { type Bounds, intersect } from "../../../model/bounds.ts";
import { type Element, flatten } from "../../../model/element.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { type Role, roleFromAtspi } from "../../../model/role.ts";
import { isSecretLabel } from "../../../model/secrets.ts";
import { readActions } from "./actions.ts";
import { findClickPoint } from "./click-point.ts";
import { isSecret } from "./details.ts";
import { type Projection, projectOntoPopup, shiftProjection } from "./geometry.ts";
import { nameOf, ownNameOf } from "./names.ts";
import { nameFromNeighbours } from "./neighbours.ts";
import { holdsField, isNodeShown, type RawNode, roleNameOf } from "./nodes.ts";
import { type Extents, isInterface } from "./protocol.ts";
import { isEnabled, isRealExtents, type Quirks } from "./quirks.ts";
import { refineRole } from "./refine-role.ts";
import { readShortcut } from "./shortcuts.ts";
import { readStates } from "./states.ts";
import { readValue } from "./values.ts";
import { hasState } from "./vocabulary.ts";

const maxValueLength = 2000;
const maxLabelLength = 60;

export interface BuildContext {
  readonly quirks: Quirks;
  readonly project: Projection;
  /** The part of the screen that the element can be seen in. */
  readonly visible: Bounds;
  readonly screen: Bounds;
  /** The process's pop-ups, where the toolkit does not know their place. */
  readonly popups: readonly Bounds[];
  readonly isInPopup: boolean;
  /** Objects behind a sister of the same place and size: pages of a stack that are not in front. */
  readonly covered: ReadonlySet<string>;
  /** Inside something that is disabled, where the toolkit does not pass that on. */
  readonly isDisabled?: boolean;
  readonly parent?: RawNode;
  readonly includeHidden: boolean;
  /** The words before: of the sister, else of the container, else of what stands before that. A field without a name is called so. */
  readonly wordsBefore: string;
  /** Takes the texts of secret fields out of everything else: Firefox puts a field's text into its label's name. */
  readonly scrub: (text: string) => string;
  /** Bus id and application name, which make an object's path unique. */
  readonly runtimePrefix: string;
}

/** Interprets one node and everything below it. */
export function buildElement(
  node: RawNode,
  outer: BuildContext,
  isParentShown = true,
  rank: Rank = topWindow,
): Element {
  const { quirks, scrub } = outer;
  const role = refineRole(node, quirks, rank.isTop === true, outer.parent);
  const extents = extentsOf(node, quirks, outer.parent);
  const place = findPlace(role, extents, outer);
  const bounds = extents && place.project(extents);
  const seen = bounds && intersect(bounds, place.visible);
  const secret = isSecret(node) || isSecretBySight(node, outer.wordsBefore);
  const isOn =
    isParentShown && isNodeShown(quirks, node) && !isClosedMenu(node, role, place) && !outer.covered.has(node.path);
  const isDisabled = quirks.statesStopAtParent && (outer.isDisabled === true || !isEnabled(quirks, node.states));
  const inner = {
    ...place,
    parent: node,
    isDisabled,
    project: quirks.measuresMenusFromOpener ? projectBeside(node, outer, bounds) : place.project,
    visible: role === "scroll" && seen !== undefined ? seen : place.visible,
  };
  // A secret field's inner text nodes would repeat what must not be read.
  const built = secret ? [] : buildChildren(node, inner, isOn && !(quirks.statesStopAtParent && isCollapsed(extents)));
  // Mapped, but of no size or outside the part in view: it is on the screen only through what it holds.
  const hasNoPlace = quirks.statesStopAtParent && !isInterface(node.interfaces, "Component");
  const isPlaced = node.details.extents === undefined ? !hasNoPlace : seen !== undefined;
  const isSeen = isOn && (isPlaced || built.some((child) => !child.states.has("hidden")));
  const states = readStates(node, role, quirks, { isSeen, isSecret: secret, isInDisabled: isDisabled });
  const name = scrub(nameOf(node, role, quirks));
  const value = secret ? "" : scrub(readValue(node, role, built));
  const opener = role === "select" ? findOpener(built) : undefined;
  const children = opener === undefined ? built : replace(built, opener, { ...opener, role, name, value });
  return {
    role,
    platformRole: roleNameOf(node),
    name,
    ownName: scrub(ownNameOf(node, quirks)),
    value: opener === undefined ? value : "",
    description: scrub(cleanText(node.description, maxValueLength)),
    states,
    bounds,
    clickPoint:
      bounds === undefined || !isSeen ? undefined : findClickPoint(role, states, bounds, place.visible, children),
    actions: readActions(node, role, states, quirks),
    platformActions: node.details.actions?.map(([name]) => name) ?? [],
    shortcut: readShortcut(node.details.actions?.map(([, , binding]) => binding) ?? []),
    platformId: node.details.attributes?.get("id") ?? "",
    alikeIndex: rank.index,
    alikeCount: rank.count,
    runtimeId: `${outer.runtimePrefix}${node.path}`,
    url: (node.details.url ?? "").split("#")[0] ?? "",
    children,
  };
}

/** A menu or a tip is a window of its own: it is not cut off at its parent's edge, and may have to be looked for. */
function findPlace(role: Role, extents: Extents | undefined, context: BuildContext): BuildContext {
  const popup = extents && context.popups.length > 0 && projectOntoPopup(extents, context.project, context.popups);
  if (popup) return { ...context, project: popup, visible: context.screen, popups: [], isInPopup: true };
  return role === "menu" ? { ...context, visible: context.screen } : context;
}

/** Swing gives the titles of a table's columns no height; they have that of their row. */
function extentsOf(node: RawNode, quirks: Quirks, parent: RawNode | undefined): Extents | undefined {
  const { extents } = node.details;
  if (extents === undefined || !isRealExtents(extents)) return undefined;
  const isFlat = quirks.partsAreLabels && extents[2] > 0 && extents[3] === 0;
  return isFlat ? [extents[0], extents[1], extents[2], parent?.details.extents?.[3] ?? 0] : extents;
}

/** Swing measures what is in an open menu as if that began where its opener does: it is below a menu bar, or to the right. */
function projectBeside(node: RawNode, outer: BuildContext, bounds: Bounds | undefined): Projection {
  if (roleNameOf(node) !== "menu" || bounds === undefined) return outer.project;
  const isInBar = outer.parent !== undefined && roleNameOf(outer.parent) === "menu bar";
  return shiftProjection(outer.project, isInBar ? 0 : bounds.width, isInBar ? bounds.height : 0);
}

/** GTK 4 leaves a menu or a popover that was closed visible; it is open only while the display shows its window. */
function isClosedMenu(node: RawNode, role: Role, place: BuildContext): boolean {
  const isPopup = role === "menu" || (role === "dialog" && roleNameOf(node) === "filler");
  return isPopup && place.quirks.extentsFrom === "window" && !place.isInPopup;
}

function buildChildren(node: RawNode, context: BuildContext, isOn: boolean): readonly Element[] {
  const kept = node.children.filter((child) => context.includeHidden || isNodeShown(context.quirks, child));
  if (kept.length === 0) return [];
  const ranks = rankAlike(node.children, context.quirks);
  const children = kept.map((child, index) => {
    const before = kept[index - 1];
    const words = (before === undefined ? "" : wordsOf(before)) || wordsOf(node) || context.wordsBefore;
    return buildElement(child, { ...context, wordsBefore: words }, isOn, ranks.get(child));
  });
  return nameFromNeighbours(context.includeHidden ? children : children.filter((child) => !child.states.has("hidden")));
}

/** Pages often put the word beside a field without saying that it belongs to it. */
function isSecretBySight(node: RawNode, wordsBefore: string): boolean {
  const isNameless = node.name === "" && node.details.label === undefined;
  return isNameless && hasState(node.states, "editable") && isSecretLabel(wordsBefore);
}

/** What an element says itself; a long text is about something else than the field in it. */
function wordsOf(node: RawNode): string {
  const words = cleanText(
    holdsField(node) || node.name === "" ? (node.details.text ?? "") : node.name,
    maxLabelLength + 1,
  );
  return words.length > maxLabelLength ? "" : words;
}

interface Rank {
  readonly index: number;
  readonly count: number;
  readonly isTop?: boolean;
}

const topWindow: Rank = { index: 0, count: 1, isTop: true };

/** Hidden sisters count: else the second page of a wizard would look like the first one while that is hidden. */
function rankAlike(sisters: readonly RawNode[], quirks: Quirks): ReadonlyMap<RawNode, Rank> {
  const alike = Map.groupBy(sisters, (node) => {
    const role = roleFromAtspi(roleNameOf(node));
    return `${role}:${nameOf(node, role, quirks)}`;
  });
  const ranks = new Map<RawNode, Rank>();
  for (const group of alike.values()) {
    for (const [index, node] of group.entries()) ranks.set(node, { index, count: group.length });
  }
  return ranks;
}

/** GTK 4's combo box does nothing itself: the one button in it opens it, and stands for it. One with a field keeps both. */
function findOpener(children: readonly Element[]): Element | undefined {
  const inside = flatten(children);
  const buttons = inside.filter(({ role }) => role === "button" || role === "toggle");
  const isWritable = inside.some(({ states }) => states.has("editable"));
  return buttons.length === 1 && !isWritable ? buttons[0] : undefined;
}

function replace(elements: readonly Element[], old: Element, replacement: Element): readonly Element[] {
  return elements.map((one) => {
    return one === old ? replacement : { ...one, children: replace(one.children, old, replacement) };
  });
}

/** GTK 4 leaves what it has not laid out yet visible, at no size. */
function isCollapsed(extents: Extents | undefined): boolean {
  return extents !== undefined && extents[2] === 0 && extents[3] === 0;
}
