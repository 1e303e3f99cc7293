import { unlessRefused } from "../dbus/bus.ts";
import { coordinatesOf } from "./details.ts";
import { isLong, type RawNode, roleNameOf, walkNodes } from "./nodes.ts";
import { type Extents, isInterface, type Peer } from "./peer.ts";
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
 * as showing; only their positions differ.
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
      ? unlessRefused(peer.getExtents(node.path, coordinatesOf(quirks)))
      : undefined;
  const [view, ...places] = await Promise.all([pane, ...list.children].map(measure));
  const kept = list.children.filter((_, index) => !isBeside(view, places[index]));
  if (kept.length < list.children.length) list.isReadInPart = true;
  list.children = kept;
}

/**
 * GTK 4 reports every page of a stack that was ever shown as visible, at the same position. Only its hit test knows the
 * front one: pages that it does not find are covered. Returns their paths.
 */
export async function findCovered(peer: Peer, quirks: Quirks, roots: readonly RawNode[]): Promise<ReadonlySet<string>> {
  const covered = new Set<string>();
  const stacks = roots.flatMap((root) => [...walkNodes(root)]).flatMap(findStacks);
  await Promise.all(
    stacks.map(async (pages) => {
      const front = await findFront(peer, quirks, pages);
      if (front !== undefined) for (const page of pages) if (page !== front) covered.add(page.path);
    }),
  );
  return covered;
}

/** Siblings of the same position and size, each with content. */
function findStacks(parent: RawNode): RawNode[][] {
  const boxes = parent.children.filter((child) => {
    const place = placeOf(child);
    return child.children.length > 0 && place !== undefined && isRealExtents(place) && place[2] > 0;
  });
  return [...Map.groupBy(boxes, (box) => String(placeOf(box))).values()].filter((pages) => pages.length > 1);
}

/** A GtkStackPage has no position; its single child does. */
function placeOf(box: RawNode): Extents | undefined {
  return box.details.extents ?? (box.children.length === 1 ? box.children[0]?.details.extents : undefined);
}

async function findFront(peer: Peer, quirks: Quirks, pages: readonly RawNode[]): Promise<RawNode | undefined> {
  const samples = pages.flatMap((page) => [...walkNodes(page)].filter(isLeaf).slice(0, 4));
  const parent = pages[0]?.parentPath;
  if (parent === undefined) return undefined;
  const owners = new Map(pages.flatMap((page) => [...walkNodes(page)].map((node) => [node.path, page] as const)));
  for (const sample of samples) {
    const [left, top, width, height] = sample.details.extents ?? [0, 0, 0, 0];
    const [x, y] = [Math.round(left + width / 2), Math.round(top + height / 2)];
    const hit = await unlessRefused(peer.getAccessibleAt(parent, x, y, coordinatesOf(quirks)));
    const page = hit && owners.get(hit[1]);
    if (page !== undefined) return page;
  }
  return undefined;
}

function isLeaf(node: RawNode): boolean {
  return node.children.length === 0 && node.details.extents !== undefined && node.details.extents[2] > 0;
}
