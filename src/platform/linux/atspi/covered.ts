import { ErrorReply } from "../dbus/errors.ts";
import { coordinatesOf } from "./details.ts";
import { type RawNode, walkNodes } from "./nodes.ts";
import type { Peer } from "./peer.ts";
import { type Extents, getAccessibleAt } from "./protocol.ts";
import { isRealExtents, type Quirks } from "./quirks.ts";

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
    const [x, y] = centreOf(sample.details.extents ?? [0, 0, 0, 0]);
    try {
      const [, hit] = await getAccessibleAt(peer, parent, x, y, coordinatesOf(quirks));
      const page = owners.get(hit);
      if (page !== undefined) return page;
    } catch (error) {
      if (!(error instanceof ErrorReply)) throw error;
    }
  }
  return undefined;
}

function isLeaf(node: RawNode): boolean {
  return node.children.length === 0 && node.details.extents !== undefined && node.details.extents[2] > 0;
}

function centreOf([x, y, width, height]: Extents): [number, number] {
  return [Math.round(x + width / 2), Math.round(y + height / 2)];
}
