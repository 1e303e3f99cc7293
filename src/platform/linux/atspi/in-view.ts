import { type Bounds, intersect } from "../../../model/bounds.ts";
import { unlessRefused } from "../dbus/bus.ts";
import { coordinatesOf } from "./details.ts";
import { type RawNode, readNode, readStates, roleNameOf, type Walk } from "./nodes.ts";
import { type Extents, isInterface, nullPath, type ObjectRef } from "./peer.ts";
import { isRealExtents, isShown } from "./quirks.ts";
import type { StateBits } from "./vocabulary.ts";

/** How many siblings are requested at once while following a run of visible ones. */
const batchSize = 16;
/** Limits a list that reports everything as showing. */
const maxInView = 1500;

type Descend = (child: RawNode) => Promise<void>;

interface Found {
  readonly ref: ObjectRef;
  readonly states: StateBits;
}

/**
 * The visible children of a container with thousands: those the toolkit's hit test finds, the first that reaches into
 * the view, and from each onwards while siblings are visible. The rest is not touched.
 */
export async function readChildrenInView(walk: Walk, parent: RawNode, descend: Descend): Promise<void> {
  const clip = await findClip(walk, parent);
  const found = new Map<number, Found | undefined>();
  if (clip !== undefined) {
    for (const seed of await findSeeds(walk, parent, clip)) await followRun(walk, parent, seed, found);
  }
  const role = roleNameOf(parent);
  if (!walk.includeHidden)
    walk.cuts.set(parent.path, `of the ${parent.childCount} parts of one ${role} only those in view were read`);
  await readFound(walk, parent, found, descend);
  if (walk.includeHidden) await readRest(walk, parent, found, descend);
}

async function findSeeds(walk: Walk, parent: RawNode, clip: Bounds): Promise<readonly number[]> {
  const [hits, topmost] = await Promise.all([findHits(walk, parent, clip), findTopmost(walk, parent, clip)]);
  // What covers the rest is first or last in most pages: a fixed bar, a dialog, a menu.
  return [...new Set([...hits, topmost, 0, parent.childCount - 1])].sort((a, b) => a - b);
}

async function followRun(
  walk: Walk,
  parent: RawNode,
  seed: number,
  found: Map<number, Found | undefined>,
): Promise<void> {
  if (found.has(seed)) return;
  await Promise.all(
    [-1, 1].map(async (step) => {
      let from = step < 0 ? seed - 1 : seed;
      while (from >= 0 && from < parent.childCount && found.size < maxInView) {
        const indexes = Array.from({ length: batchSize }, (_, offset) => from + offset * step);
        const fresh = indexes.filter((index) => index >= 0 && index < parent.childCount && !found.has(index));
        const arrived = await Promise.all(fresh.map((index) => findChild(walk, parent, index)));
        fresh.forEach((index, place) => {
          found.set(index, arrived[place]);
        });
        if (!arrived.some((one) => one !== undefined && isShown(walk.quirks, one.states))) return;
        from += batchSize * step;
      }
    }),
  );
}

async function findChild(walk: Walk, parent: RawNode, index: number): Promise<Found | undefined> {
  const ref = await unlessRefused(walk.peer.getChildAt(parent.path, index));
  if (ref === undefined) return undefined;
  const states = walk.nodes.get(ref[1])?.states ?? (await readStates(walk, ref));
  return states && { ref, states };
}

async function readFound(
  walk: Walk,
  parent: RawNode,
  found: ReadonlyMap<number, Found | undefined>,
  descend: Descend,
): Promise<void> {
  const children = new Map(parent.children.map((child) => [child.path, child]));
  try {
    await Promise.all(
      [...found].map(async ([index, one]) => {
        if (one === undefined || !(walk.includeHidden || isShown(walk.quirks, one.states))) return;
        const known = children.get(one.ref[1]) ?? walk.nodes.get(one.ref[1]);
        const node = known ?? (await readNode(walk, one.ref, one.states, parent.path, index));
        if (node === undefined) return;
        node.indexInParent = index;
        children.set(node.path, node);
        if (known === undefined) await descend(node);
      }),
    );
  } finally {
    // Also if the deadline ends the walk: the children read so far are kept, in order.
    parent.children = [...children.values()].sort((a, b) => a.indexInParent - b.indexInParent);
  }
}

/** All others from the first on, as far as time allows. */
async function readRest(
  walk: Walk,
  parent: RawNode,
  seen: ReadonlyMap<number, unknown>,
  descend: Descend,
): Promise<void> {
  for (let first = 0; first < parent.childCount; first += batchSize * 4) {
    const indexes = Array.from({ length: batchSize * 4 }, (_, offset) => first + offset);
    const fresh = indexes.filter((index) => index < parent.childCount && !seen.has(index));
    const arrived = await Promise.all(
      fresh.map(async (index) => [index, await findChild(walk, parent, index)] as const),
    );
    await readFound(walk, parent, new Map(arrived), descend);
  }
}

/** Each point takes Chromium 25 ms in a page of 6,600 paragraphs. */
const gridColumns = 3;
const gridRows = 3;
const maxLevels = 40;
/** How many siblings without a position are skipped before the search turns around. */
const maxPlaceless = 4;

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

/** The visible part of a container, in toolkit units. */
async function findClip(walk: Walk, node: RawNode): Promise<Bounds | undefined> {
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
async function findHits(walk: Walk, parent: RawNode, clip: Bounds): Promise<number[]> {
  if (!isInterface(parent.interfaces, "Component")) return [];
  const points = Array.from({ length: gridColumns * gridRows }, (_, index) => ({
    x: Math.round(clip.x + (clip.width * ((index % gridColumns) + 0.5)) / gridColumns),
    y: Math.round(clip.y + (clip.height * (Math.floor(index / gridColumns) + 0.5)) / gridRows),
  }));
  const indexes = new Map<string, number | undefined>();
  // Sequential: in parallel they would block the application's own events for their total time.
  for (const { x, y } of points) {
    const hit = await unlessRefused(walk.peer.getAccessibleAt(parent.path, x, y, coordinatesOf(walk.quirks)));
    const path = hit?.[1] ?? nullPath;
    if (path !== nullPath && !indexes.has(path)) indexes.set(path, await climbTo(walk, parent.path, path));
  }
  const found = [...indexes.values()].filter((index) => index !== undefined);
  return found.filter((index) => index >= 0 && index < parent.childCount);
}

/** The index of the child of `parentPath` that contains an object. */
async function climbTo({ peer }: Walk, parentPath: string, from: string): Promise<number | undefined> {
  let path = from;
  for await (const up of peer.listAncestors(from)) {
    if (up === parentPath) return unlessRefused(peer.getIndexInParent(path));
    path = up;
  }
  return undefined;
}

/** The first child that reaches into the view, assuming a vertical order as in most lists and pages. */
async function findTopmost(walk: Walk, parent: RawNode, clip: Bounds): Promise<number> {
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
    const ref = await unlessRefused(walk.peer.getChildAt(parent.path, near));
    const box = ref && (await measure(walk, ref[1]));
    if (box !== undefined && box.height > 0) return box;
  }
  return undefined;
}

async function measure({ peer, quirks }: Walk, path: string): Promise<Bounds | undefined> {
  const extents = await unlessRefused(peer.getExtents(path, coordinatesOf(quirks)));
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
  const extents = await unlessRefused(peer.getExtents(manager.path, coordinatesOf(quirks)));
  return extents !== undefined && isRealExtents(extents) ? extents : undefined;
}

export async function findCellAt(
  { peer, quirks }: Walk,
  manager: RawNode,
  x: number,
  y: number,
): Promise<string | undefined> {
  const ref = await unlessRefused(peer.getAccessibleAt(manager.path, x, y, coordinatesOf(quirks)));
  return ref === undefined || ref[1] === nullPath ? undefined : ref[1];
}
