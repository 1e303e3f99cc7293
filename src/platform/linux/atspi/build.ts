import { type Bounds, clickPointOf, intersect } from "../../../model/bounds.ts";
import type { Element } from "../../../model/element.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { kindOfRole, type Role, roleFromAtspi } from "../../../model/role.ts";
import { isSecretLabel } from "../../../model/secrets.ts";
import type { State } from "../../../model/state.ts";
import { readActions } from "./actions.ts";
import { isSecret } from "./details.ts";
import { type Projection, projectOntoPopup } from "./geometry.ts";
import { nameOf, ownNameOf } from "./names.ts";
import { nameFromNeighbours } from "./neighbours.ts";
import { holdsField, isLong, type RawNode, roleNameOf, walkNodes } from "./nodes.ts";
import type { Extents } from "./protocol.ts";
import { isEnabled, isRealExtents, isShown, type Quirks } from "./quirks.ts";
import { readShortcut } from "./shortcuts.ts";
import { hasState, sameStates } from "./vocabulary.ts";

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
  const role = refineRole(node, roleFromAtspi(roleNameOf(node)), quirks, rank.isTop === true);
  const extents =
    node.details.extents !== undefined && isRealExtents(node.details.extents) ? node.details.extents : undefined;
  const place = findPlace(role, extents, outer);
  const bounds = extents && place.project(extents);
  const seen = bounds && intersect(bounds, place.visible);
  const secret = isSecret(node) || isSecretBySight(node, outer.wordsBefore);
  const isOn =
    isParentShown && isShown(quirks, node.states) && !isClosedMenu(role, place) && !outer.covered.has(node.path);
  const inner = role === "scroll" && seen !== undefined ? { ...place, visible: seen } : place;
  // A secret field's inner text nodes would repeat what must not be read.
  const children = secret ? [] : buildChildren(node, inner, isOn);
  // Mapped, but of no size or outside the part in view: it is on the screen only through what it holds.
  const isPlaced = node.details.extents === undefined || seen !== undefined;
  const isSeen = isOn && (isPlaced || children.some((child) => !child.states.has("hidden")));
  const states = readStates(node, role, quirks, isSeen, secret);
  return {
    role,
    platformRole: roleNameOf(node),
    name: scrub(nameOf(node, role, quirks)),
    ownName: scrub(ownNameOf(node, quirks)),
    value: secret ? "" : scrub(readValue(node, role)),
    description: scrub(cleanText(node.description, maxValueLength)),
    states,
    bounds,
    clickPoint: bounds === undefined || !isSeen ? undefined : clickPointOf(bounds, place.visible),
    actions: readActions(node, role, states),
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

/** GTK 4 leaves a menu that was closed visible; it is open only while the display shows its window. */
function isClosedMenu(role: Role, place: BuildContext): boolean {
  return role === "menu" && place.quirks.extentsFrom === "window" && !place.isInPopup;
}

function buildChildren(node: RawNode, context: BuildContext, isOn: boolean): readonly Element[] {
  const kept = node.children.filter((child) => context.includeHidden || isShown(context.quirks, child.states));
  if (kept.length === 0) return [];
  const ranks = isLong(node) ? rankByPlace(node) : rankAlike(node.children, context.quirks);
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

function rankByPlace({ children, childCount }: RawNode): ReadonlyMap<RawNode, Rank> {
  return new Map(children.map((node) => [node, { index: node.indexInParent, count: childCount }]));
}

/** Where one AT-SPI role stands for several things, the states and what it holds tell which. */
function refineRole(node: RawNode, role: Role, quirks: Quirks, isTop: boolean): Role {
  const canBeChosen = hasState(node.states, "selectable") || hasState(node.states, "focusable");
  if (role === "window" && !isTop && quirks.hasInnerFrames) return "group";
  if (role === "input" && roleNameOf(node) === "text" && !hasState(node.states, "editable") && !canBeChosen)
    return "text";
  if (role === "option" && !canBeChosen) return "item";
  // A page's boxes are sections; one that holds words of its own is read for them.
  if (role === "group" && cleanText(node.details.text ?? "", 10) !== "") return "text";
  return role;
}

function readValue(node: RawNode, role: Role): string {
  const { numericValue, text } = node.details;
  if (numericValue !== undefined) return formatNumber(numericValue);
  if (role === "select" && text === undefined) return cleanText(findChosen(node)?.name ?? "", maxValueLength);
  const isField = role === "input" || role === "document" || role === "terminal" || role === "select";
  // A spreadsheet's cell is named by its address; any other is named by what it says.
  const isAddressed = role === "cell" && hasState(node.states, "editable") && text !== node.name;
  return isField || isAddressed ? cleanText(text ?? "", maxValueLength) : "";
}

function findChosen(node: RawNode): RawNode | undefined {
  for (const inner of walkNodes(node)) {
    if (inner !== node && hasState(inner.states, "selected")) return inner;
  }
  return undefined;
}

function formatNumber(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}

function readStates(node: RawNode, role: Role, quirks: Quirks, isOn: boolean, secret: boolean): ReadonlySet<State> {
  const states = new Set<State>();
  if (!isOn) states.add("hidden");
  for (const [theirs, ours] of sameStates) {
    if (hasState(node.states, theirs)) states.add(ours);
  }
  if (!isEnabled(quirks, node.states) && kindOfRole(role) === "control") states.add("disabled");
  if (hasState(node.states, "expanded")) states.add("expanded");
  else if (hasState(node.states, "expandable")) states.add("collapsed");
  if (secret) states.add("secret");
  return states;
}
