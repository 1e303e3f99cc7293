import { type Bounds, intersect } from "../../../model/bounds.ts";
import { unlessRefused } from "./cache.ts";
import { coordinatesOf } from "./details.ts";
import { type RawNode, roleNameOf } from "./nodes.ts";
import {
  type Extents,
  getAccessibleAt,
  getChildAt,
  getExtents,
  getIndexInParent,
  getProperty,
  isInterface,
  nullPath,
} from "./protocol.ts";
import { isRealExtents } from "./quirks.ts";
import type { Walk } from "./read-node.ts";

/** The visible part of a container, in toolkit units. */
export type Clip = Bounds;

/** Each point takes Chromium 25 ms in a page of 6,600 paragraphs. */
const gridColumns = 3;
const gridRows = 3;
const maxLevels = 40;
/** How many siblings without a position are skipped before the search turns around. */
const maxPlaceless = 4;

/** Roles that clip their content. */
const clippers = new Set([
  "document web",
  "document frame",
  "internal frame",
  "scroll pane",
  "viewport",
  "frame",
  "window",
  "dialog",
]);

export async function findClip(walk: Walk, node: RawNode): Promise<Clip | undefined> {
  const chain = [node];
  let up = walk.nodes.get(node.parentPath);
  // Bounded, since the topmost object may be its own parent.
  for (let level = 0; level < maxLevels && up !== undefined; level += 1) {
    if (clippers.has(roleNameOf(up))) chain.push(up);
    up = walk.nodes.get(up.parentPath);
  }
  const boxes = await Promise.all(chain.map((one) => measure(walk, one.path)));
  let clip = boxes[0];
  for (const box of boxes) if (clip !== undefined && box !== undefined) clip = intersect(clip, box);
  return clip;
}

/** The child indexes that the toolkit's hit test finds at points spread over the view. */
export async function findHits(walk: Walk, parent: RawNode, clip: Clip): Promise<number[]> {
  if (!isInterface(parent.interfaces, "Component")) return [];
  const points = Array.from({ length: gridColumns * gridRows }, (_, index) => ({
    x: Math.round(clip.x + (clip.width * ((index % gridColumns) + 0.5)) / gridColumns),
    y: Math.round(clip.y + (clip.height * (Math.floor(index / gridColumns) + 0.5)) / gridRows),
  }));
  const indexes = new Map<string, number | undefined>();
  // Sequential: in parallel they would block the application's own events for their total time.
  for (const { x, y } of points) {
    const hit = await unlessRefused(getAccessibleAt(walk.peer, parent.path, x, y, coordinatesOf(walk.quirks)));
    const path = hit?.[1] ?? nullPath;
    if (path !== nullPath && !indexes.has(path)) indexes.set(path, await climbTo(walk, parent.path, path));
  }
  const found = [...indexes.values()].filter((index) => index !== undefined);
  return found.filter((index) => index >= 0 && index < parent.childCount);
}

/** The index of the child of `parentPath` that contains an object. */
async function climbTo({ peer }: Walk, parentPath: string, from: string): Promise<number | undefined> {
  let path = from;
  for (let level = 0; level < maxLevels && path !== parentPath; level += 1) {
    const parent = await unlessRefused(getProperty(peer, path, "Accessible", "Parent"));
    const up = Array.isArray(parent) && typeof parent[1] === "string" ? parent[1] : nullPath;
    if (up === parentPath) return unlessRefused(getIndexInParent(peer, path));
    if (up === nullPath) return undefined;
    path = up;
  }
  return undefined;
}

/** The first child that reaches into the view, assuming a vertical order as in most lists and pages. */
export async function findTopmost(walk: Walk, parent: RawNode, clip: Clip): Promise<number> {
  let low = 0;
  let high = parent.childCount - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const box = await measureNear(walk, parent, middle, high);
    if (box === undefined || box.y + box.height > clip.y) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function measureNear(walk: Walk, parent: RawNode, index: number, last: number): Promise<Bounds | undefined> {
  for (let near = index; near <= Math.min(last, index + maxPlaceless); near += 1) {
    const ref = await unlessRefused(getChildAt(walk.peer, parent.path, near));
    const box = ref && (await measure(walk, ref[1]));
    if (box !== undefined && box.height > 0) return box;
  }
  return undefined;
}

async function measure({ peer, quirks }: Walk, path: string): Promise<Bounds | undefined> {
  const extents = await unlessRefused(getExtents(peer, path, coordinatesOf(quirks)));
  if (extents === undefined || !isMeasured(extents)) return undefined;
  const [x, y, width, height] = extents;
  return { x, y, width, height };
}

/** A long page exceeds any screen: only invalid positions are excluded. */
function isMeasured(extents: readonly number[]): boolean {
  const [x = 0, y = 0, width = 0, height = 0] = extents;
  return width > 0 && height >= 0 && x > -1e8 && y > -1e8;
}

export async function measureView({ peer, quirks }: Walk, manager: RawNode): Promise<Extents | undefined> {
  if (!isInterface(manager.interfaces, "Component")) return undefined;
  const extents = await unlessRefused(getExtents(peer, manager.path, coordinatesOf(quirks)));
  return extents !== undefined && isRealExtents(extents) ? extents : undefined;
}

export async function findCellAt(
  { peer, quirks }: Walk,
  manager: RawNode,
  x: number,
  y: number,
): Promise<string | undefined> {
  const ref = await unlessRefused(getAccessibleAt(peer, manager.path, x, y, coordinatesOf(quirks)));
  return ref === undefined || ref[1] === nullPath ? undefined : ref[1];
}
