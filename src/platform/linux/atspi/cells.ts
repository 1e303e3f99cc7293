import { unlessRefused } from "../dbus/bus.ts";
import { coordinatesOf } from "./details.ts";
import { findCellAt, measureView } from "./in-view.ts";
import { type RawNode, readNode, readStates, type Walk } from "./nodes.ts";
import { isBeside } from "./out-of-view.ts";
import { type Extents, isInterface, type ObjectRef } from "./peer.ts";
import { isRealExtents, isShown } from "./quirks.ts";
import { hasState } from "./vocabulary.ts";
import { descendAll } from "./walk.ts";

/** A container that manages its descendants may have billions of them: only the visible ones are requested. */
const maxManagedChildren = 600;

/** Of longer lists, invisible entries are read only if everything is wanted. */
const maxUnseen = 100;

/** Lists, trees and tables that manage their descendants: finds the visible cells by hit-testing the corners. */
export async function readManaged(walk: Walk): Promise<void> {
  const managers = [...walk.nodes.values()].filter(
    (node) => hasState(node.states, "managesDescendants") && isShown(walk.quirks, node.states),
  );
  await Promise.all(managers.map((manager) => readCellsInView(walk, manager)));
}

export async function readCellsInView(walk: Walk, manager: RawNode): Promise<void> {
  const { peer } = walk;
  const childCount = await unlessRefused(peer.getProperty(manager.path, "Accessible", "ChildCount"));
  if (typeof childCount !== "number" || childCount <= 0) return;
  if (
    walk.quirks.cellsAreNamedByAddress &&
    childCount > maxManagedChildren &&
    isInterface(manager.interfaces, "Table")
  ) {
    const { readSpreadsheet } = await import("./spreadsheet.ts");
    return readSpreadsheet(walk, manager);
  }
  let first = 0;
  let last = childCount - 1;
  if (childCount > maxManagedChildren) {
    const range = await findRangeInView(walk, manager);
    first = Math.max(0, range?.first ?? 0);
    last = Math.min(childCount - 1, range?.last ?? maxManagedChildren - 1, first + maxManagedChildren - 1);
    walk.cuts.set(manager.path, "a very large list was read only where it is in view");
  }
  const refs = await Promise.all(
    Array.from({ length: last - first + 1 }, (_, offset) =>
      unlessRefused(peer.getChildAt(manager.path, first + offset)),
    ),
  );
  const isLong = refs.length > maxUnseen && !walk.includeHidden;
  // LibreOffice measures some containers from another origin.
  const view = isLong && !walk.quirks.forgetsMenuBar ? await measureView(walk, manager) : undefined;
  const nodes = await Promise.all(
    refs.map((ref, offset) => ref && readCell(walk, ref, manager, first + offset, isLong, view)),
  );
  if (isLong) manager.isReadInPart = true;
  const cells = nodes.filter((node) => node !== undefined);
  manager.children = [...manager.children, ...cells];
  await descendAll(walk, cells);
}

/**
 * Reads a cell, or nothing if it is invisible and only visible ones are wanted: GTK 3 reports all of them as showing.
 */
async function readCell(
  walk: Walk,
  ref: ObjectRef,
  { path }: RawNode,
  index: number,
  isInViewOnly: boolean,
  view: Extents | undefined,
): Promise<RawNode | undefined> {
  const [states, extents] = await Promise.all([
    readStates(walk, ref),
    view && unlessRefused(walk.peer.getExtents(ref[1], coordinatesOf(walk.quirks))),
  ]);
  if (states === undefined) return undefined;
  // GTK 3 gives scrolled-away cells an invalid position.
  const hasNoPlace = extents !== undefined && !isRealExtents(extents);
  const isOutOfView = isInViewOnly && (!isShown(walk.quirks, states) || hasNoPlace || isBeside(view, extents));
  return isOutOfView ? undefined : readNode(walk, ref, states, path, index);
}

async function findRangeInView(walk: Walk, manager: RawNode): Promise<{ first: number; last: number } | undefined> {
  const corners = await findCorners(walk, manager);
  const indexes = await Promise.all(corners.map((path) => path && unlessRefused(walk.peer.getIndexInParent(path))));
  const [first, last] = indexes;
  if (typeof first !== "number" || first < 0) return undefined;
  return { first, last: typeof last !== "number" || last < first ? first + maxManagedChildren : last };
}

/** The objects in the first and the last corner of a container. */
async function findCorners(walk: Walk, manager: RawNode): Promise<(string | undefined)[]> {
  const extents = await measureView(walk, manager);
  if (extents === undefined) return [];
  const [x, y, width, height] = extents;
  return Promise.all([
    findCellAt(walk, manager, x + 2, y + 2),
    findCellAt(walk, manager, x + width - 3, y + height - 3),
  ]);
}
