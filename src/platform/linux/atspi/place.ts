import type { Bounds } from "../../../model/bounds.ts";
import type { Role } from "../../../model/role.ts";
import { type Projection, projectOntoPopup, shiftProjection } from "./geometry.ts";
import { type RawNode, roleNameOf } from "./nodes.ts";
import type { Extents } from "./peer.ts";
import { isRealExtents, type Quirks } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";

/** A menu or tooltip is a separate window: it is not clipped to its parent, and its position may have to be found. */
export function findPlace(role: Role, extents: Extents | undefined, context: BuildContext): BuildContext {
  const { project, popups } = context;
  const popup =
    extents && popups.length > 0
      ? (projectOntoPopup(extents, project, popups) ??
        (role === "dialog" && projectOntoOffset(extents, project, popups)))
      : undefined;
  if (popup) return { ...context, project: popup, visible: context.screen, popups: [], isInPopup: true };
  if (role === "web" && project.inPage) return { ...context, project: project.inPage };
  const isDropDown = role === "list" && context.parent !== undefined && roleNameOf(context.parent) === "combo box";
  return role === "menu" || isDropDown ? { ...context, visible: context.screen } : context;
}

/** GTK 4's offset between a popover and its opener; the gap belongs to the popover's window. */
const maxOffset = 16;

/** A GTK 4 drop-down list is slightly smaller than its window: the gap is on the opener's side. */
export function projectOntoOffset(
  extents: Extents,
  project: Projection,
  popups: readonly Bounds[],
): Projection | undefined {
  const { x, y, width, height } = project(extents);
  const popup = popups.find((one) => one.width === width && one.height > height && one.height - height <= maxOffset);
  if (popup === undefined) return undefined;
  const isBelow = popup.y + maxOffset >= y;
  return shiftProjection(project, popup.x - x, popup.y - y + (isBelow ? popup.height - height : 0));
}

/** Swing reports no height for column headers; they have that of their row. */
export function extentsOf(node: RawNode, quirks: Quirks, parent: RawNode | undefined): Extents | undefined {
  const { extents } = node.details;
  if (extents === undefined || !isRealExtents(extents)) return undefined;
  const isFlat = quirks.partsAreLabels && extents[2] > 0 && extents[3] === 0;
  return isFlat ? [extents[0], extents[1], extents[2], parent?.details.extents?.[3] ?? 0] : extents;
}

/** LibreOffice's root pane has the size of the GTK box it fills, but not its position; GTK widgets inside do. */
export function bridgeGap(node: RawNode, outer: BuildContext): BuildContext {
  const [own, around] = [node.details.extents, outer.parent?.details.extents];
  if (own === undefined || around === undefined || own[2] !== around[2] || own[3] !== around[3]) return outer;
  const [x, y] = [around[0] - own[0], around[1] - own[1]];
  if (x === 0 && y === 0) return outer;
  const { gap, project } = outer;
  if (gap === undefined && roleNameOf(node) === "root pane")
    return { ...outer, project: shiftExtents(project, x, y), gap: { x, y, trueProject: project } };
  if (gap === undefined || gap.x !== -x || gap.y !== -y) return outer;
  const { gap: _bridged, ...rest } = outer;
  return { ...rest, project: gap.trueProject };
}

/** The gap is in toolkit units and is scaled with everything else. */
function shiftExtents(project: Projection, byX: number, byY: number): Projection {
  return ([x, y, width, height]) => project([x + byX, y + byY, width, height]);
}

/** Swing measures the content of an open menu from its opener: the menu is below a menu bar, or to the right. */
export function projectBeside(node: RawNode, outer: BuildContext, bounds: Bounds | undefined): Projection {
  if (roleNameOf(node) !== "menu" || bounds === undefined) return outer.project;
  const isInBar = outer.parent !== undefined && roleNameOf(outer.parent) === "menu bar";
  return shiftProjection(outer.project, isInBar ? 0 : bounds.width, isInBar ? bounds.height : 0);
}

/** GTK 4 leaves closed menus and popovers visible; they are open only while the display shows their window. */
export function isClosedMenu(node: RawNode, role: Role, place: BuildContext): boolean {
  const isPopup = role === "menu" || (role === "dialog" && roleNameOf(node) === "filler");
  return isPopup && place.quirks.extentsFrom === "window" && !place.isInPopup;
}

const windowRoles: ReadonlySet<string> = new Set(["frame", "dialog", "window", "alert"]);

/**
 * Whether its application does not show it, or what it is in: a tool bar, the other buttons of a wizard. Menus lack
 * VISIBLE while they are closed, their entries where LibreOffice fills them late, and so do popovers, which are panels
 * beside the content of a window.
 */
export function isSwitchedOff(node: RawNode, role: Role, { quirks, parent, isInSwitchedOff }: BuildContext): boolean {
  if (!quirks.tellsSwitchedOff || isInSwitchedOff === true) return isInSwitchedOff === true;
  if (role === "menu" || role === "menuitem" || hasState(node.states, "visible")) return false;
  return roleNameOf(node) !== "panel" || parent === undefined || !windowRoles.has(roleNameOf(parent));
}

/** GTK 4 leaves widgets that are not laid out visible, without size; LibreOffice its own menu bar, without height. */
export function isCollapsed(quirks: Quirks, role: Role, extents: Extents | undefined): boolean {
  if (extents === undefined) return false;
  const [, , width, height] = extents;
  return (quirks.statesStopAtParent && width === 0 && height === 0) || (role === "menubar" && height === 0);
}

/** The state passed down while the tree is built. */
export interface BuildContext {
  readonly quirks: Quirks;
  readonly project: Projection;
  /** The part of the screen in which the element can be visible. */
  readonly visible: Bounds;
  readonly screen: Bounds;
  /** The process's pop-ups, if the toolkit does not know their positions. */
  readonly popups: readonly Bounds[];
  readonly isInPopup: boolean;
  /** In a panel or dock. */
  readonly isInDock?: boolean | undefined;
  /** Objects behind a sibling of the same position and size: pages of a stack that are not in front. */
  readonly covered: ReadonlySet<string>;
  /** Inside something that its application does not show. */
  readonly isInSwitchedOff?: boolean;
  /** Inside something disabled, if the toolkit does not propagate that. */
  readonly isDisabled?: boolean;
  readonly parent?: RawNode;
  /** The offset between reported and true positions here, and the projection without it. */
  readonly gap?: Gap;
  readonly includeHidden: boolean;
  readonly isForPicture?: boolean;
  /** Removes the texts of secret fields from all others: Firefox includes a field's text in its label's name. */
  readonly scrub: (text: string) => string;
  /** Bus id and application name, which make an object's path unique. */
  readonly runtimePrefix: string;
}

interface Gap {
  readonly x: number;
  readonly y: number;
  readonly trueProject: Projection;
}
