import { unlessRefused } from "./cache.ts";
import { coordinatesOf } from "./details.ts";
import { isLong, type RawNode, roleNameOf } from "./nodes.ts";
import type { Peer } from "./peer.ts";
import { type Extents, getExtents, isInterface } from "./protocol.ts";
import { isRealExtents, isShown, type Quirks } from "./quirks.ts";

/** Positions are rounded; elements just outside the view are still read. */
const margin = 8;

/** Whether something lies completely outside a view. Without position or size it may be anywhere. */
export function isBeside(view: Extents | undefined, extents: Extents | undefined): boolean {
  if (view === undefined || extents === undefined) return false;
  if (!isRealExtents(view) || !isRealExtents(extents)) return false;
  const [left, top, viewWidth, viewHeight] = view;
  const [x, y, width, height] = extents;
  if (viewWidth === 0 || viewHeight === 0 || width === 0 || height === 0) return false;
  const isBesideX = x > left + viewWidth + margin || x + width < left - margin;
  const isBesideY = y > top + viewHeight + margin || y + height < top - margin;
  return isBesideX || isBesideY;
}

/**
 * Drops scrolled-away entries of long lists before their details and children are requested. GTK 4 reports all of them
 * as showing; their positions tell.
 */
export async function dropScrolledAway(peer: Peer, quirks: Quirks, roots: readonly RawNode[]): Promise<void> {
  const lists: { readonly list: RawNode; readonly pane: RawNode }[] = [];
  const collect = (node: RawNode, around: RawNode | undefined): void => {
    if (!isShown(quirks, node.states)) return;
    const pane = roleNameOf(node) === "scroll pane" ? node : around;
    if (pane !== undefined && isLong(node)) lists.push({ list: node, pane });
    for (const child of node.children) collect(child, pane);
  };
  for (const root of roots) collect(root, undefined);
  await Promise.all(lists.map(({ list, pane }) => dropBeside(peer, quirks, list, pane)));
}

async function dropBeside(peer: Peer, quirks: Quirks, list: RawNode, pane: RawNode): Promise<void> {
  const measure = async (node: RawNode): Promise<Extents | undefined> =>
    isInterface(node.interfaces, "Component")
      ? unlessRefused(getExtents(peer, node.path, coordinatesOf(quirks)))
      : undefined;
  const [view, ...places] = await Promise.all([pane, ...list.children].map(measure));
  const kept = list.children.filter((_, index) => !isBeside(view, places[index]));
  if (kept.length < list.children.length) list.isReadInPart = true;
  list.children = kept;
}
