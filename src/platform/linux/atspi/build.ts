import { intersect } from "../../../model/bounds.ts";
import type { Element } from "../../../model/element.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { type Role, roleFromAtspi } from "../../../model/role.ts";
import type { Trait } from "../../../model/trait.ts";
import { readActions, readInvocations, readShortcut } from "./actions.ts";
import { findClickPoint } from "./click-point.ts";
import { ariaOf, isSecret, platformIdOf } from "./details.ts";
import { nameOf, ownNameOf } from "./names.ts";
import { nameFromGroup, nameFromNeighbours } from "./neighbours.ts";
import { isLong, isNodeShown, type RawNode, roleNameOf } from "./nodes.ts";
import { isInterface } from "./peer.ts";
import {
  type BuildContext,
  bridgeGap,
  extentsOf,
  findPlace,
  isClosedMenu,
  isCollapsed,
  isSwitchedOff,
  projectBeside,
} from "./place.ts";
import { isEnabled, type Quirks } from "./quirks.ts";
import { refineRole } from "./refine-role.ts";
import { readStates, traitsOf } from "./states.ts";
import { readValue } from "./values.ts";

const maxValueLength = 2000;

export function buildElement(
  node: RawNode,
  outer: BuildContext,
  isParentShown = true,
  rank: Rank = topWindow,
): Element {
  const { quirks, scrub } = outer;
  const role = refineRole(node, quirks, rank.isTop === true, outer.parent);
  const extents = extentsOf(node, quirks, outer.parent);
  const place = findPlace(role, extents, quirks.forgetsMenuBar ? bridgeGap(node, outer) : outer);
  const bounds = extents && place.project(extents);
  const seen = bounds && intersect(bounds, place.visible);
  const secret = isSecret(node) || node.details.isSecretInSight === true;
  const isOn =
    isParentShown && isNodeShown(quirks, node) && !isClosedMenu(node, role, place) && !outer.covered.has(node.path);
  const isOff = isSwitchedOff(node, role, outer);
  const isDisabled = quirks.statesStopAtParent && (outer.isDisabled === true || !isEnabled(quirks, node.states));
  const inner = {
    ...place,
    parent: node,
    isDisabled,
    isInSwitchedOff: isOff,
    project: quirks.measuresMenusFromOpener ? projectBeside(node, outer, bounds) : place.project,
    visible: role === "scroll" && seen !== undefined ? seen : place.visible,
  };
  // The inner text nodes of a secret field would repeat its text.
  const built = secret ? [] : buildChildren(node, inner, isOn && !isCollapsed(quirks, role, extents));
  // Mapped, but without size or outside the visible part: it is visible only through its children.
  const hasNoPlace = quirks.statesStopAtParent && !isInterface(node.interfaces, "Component");
  const isPlaced = node.details.extents === undefined ? !hasNoPlace : seen !== undefined;
  const isSeen = isOn && (isPlaced || built.some((child) => !child.states.has("hidden")));
  const states = readStates(node, role, quirks, { isSeen, isSecret: secret, isInDisabled: isDisabled });
  const name = scrub(nameOf(node, role, quirks));
  const value = secret ? "" : scrub(readValue(node, role, built, quirks));
  const opener = role === "select" ? findOpener(built) : undefined;
  // The button's text is the selected choice.
  const shown = opener === undefined ? value : value || opener.name;
  const inside = opener === undefined ? built : replace(built, opener, { ...opener, role, name, value: shown });
  const children = name === "" ? inside : nameFromGroup(role, name, inside);
  return {
    role,
    platformRole: roleNameOf(node),
    name,
    ownName: scrub(ownNameOf(node, quirks)),
    value: opener === undefined ? value : "",
    description: scrub(cleanText(node.description, maxValueLength)),
    states,
    traits: traitsOf(
      role,
      outer.isInDock === true && isForeign(node, role, quirks) ? "unknown" : roleNameOf(node),
      ...listToolkitTraits(outer, role),
      ...(isOff && !isSeen ? (["switched-off"] as const) : []),
    ),
    bounds,
    clickPoint:
      bounds === undefined || !isSeen ? undefined : findClickPoint(role, states, bounds, place.visible, children),
    actions: readActions(node, role, states, quirks),
    platformActions: node.details.actions?.map(([name]) => name) ?? [],
    invocations: readInvocations(node, role),
    shortcut: readShortcut(node.details.actions?.map(([, , binding]) => binding) ?? []),
    platformId: platformIdOf(node),
    alikeIndex: rank.index,
    alikeCount: rank.count,
    source: "a11y",
    life: outer.runtimePrefix,
    handle: `${outer.runtimePrefix}${node.path}`,
    ...withAria(node),
    url: (node.details.url ?? "").split(/#(?![/!])/)[0] ?? "",
    ...(outer.isForPicture === true || quirks.pressesLate ? { place: node.details.extents?.join(" ") ?? "" } : {}),
    children,
  };
}

function withAria(node: RawNode): Pick<Element, "aria"> {
  const aria = ariaOf(node);
  return aria === undefined ? {} : { aria };
}

/** A part of another program (the applets of a panel): it is named without its content. A whole cache would have that. */
function isForeign({ childCount, children }: RawNode, role: Role, quirks: Quirks): boolean {
  return role === "group" && childCount > 0 && children.length === 0 && quirks.cache === "whole";
}

const pressed: ReadonlySet<Role> = new Set<Role>(["button", "toggle", "checkbox"]);

function listToolkitTraits({ isInDock, quirks }: BuildContext, role: Role): Trait[] {
  if (role === "tab" && quirks.tabsArePlaces) return ["is-a-place"];
  if (!pressed.has(role)) return [];
  const mayFallShort = isInDock === true || (quirks.togglesUnheard && role !== "button");
  return [
    ...(mayFallShort ? (["action-may-fall-short"] as const) : []),
    ...(quirks.pressesLate ? (["action-comes-late", "pressed-means-on"] as const) : []),
  ];
}

function buildChildren(node: RawNode, context: BuildContext, isOn: boolean): readonly Element[] {
  if (context.quirks.labelsHoldTexts && roleNameOf(node) === "label") return [];
  const kept = node.children.filter((child) => context.includeHidden || isNodeShown(context.quirks, child));
  if (kept.length === 0) return [];
  const ranks = isLong(node) ? rankByPlace(node) : rankAlike(node.children, context.quirks);
  const children = kept.map((child) => buildElement(child, context, isOn, ranks.get(child)));
  return nameFromNeighbours(context.includeHidden ? children : children.filter((child) => !child.states.has("hidden")));
}

interface Rank {
  readonly index: number;
  readonly count: number;
  readonly isTop?: boolean;
}

const topWindow: Rank = { index: 0, count: 1, isTop: true };

/** Hidden siblings count: otherwise the second page of a wizard would look like the first while that is hidden. */
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

/** GTK 4's combo box does nothing itself: the single button inside represents it. One with a field keeps both. */
function findOpener(children: readonly Element[]): Element | undefined {
  const inside = flattenOutside(children);
  const buttons = inside.filter(({ role }) => role === "button" || role === "toggle");
  const isWritable = inside.some(({ states }) => states.has("editable"));
  return buttons.length === 1 && !isWritable ? buttons[0] : undefined;
}

/** Skips open lists. */
function flattenOutside(elements: readonly Element[]): Element[] {
  return elements
    .filter(({ role }) => role !== "dialog" && role !== "menu")
    .flatMap((one) => [one, ...flattenOutside(one.children)]);
}

function replace(elements: readonly Element[], old: Element, replacement: Element): readonly Element[] {
  return elements.map((one) => {
    return one === old ? replacement : { ...one, children: replace(one.children, old, replacement) };
  });
}
