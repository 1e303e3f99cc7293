import { type Bounds, keepWithin, type Size } from "../model/bounds.ts";
import { type Edges, edgesOf, holds, isWide, SpatialIndex, sharedArea } from "./spatial-index.ts";
import type { Tag, Tagged } from "./tag.ts";

/**
 * Places the tags of controls. The cost of a position is the share of each object that the tag would cover there; the
 * first position without cost is taken, else the cheapest. Only nearby objects matter, so distant changes move no tag.
 * The smallest controls go first: they have the fewest positions.
 */
export function placeTags(
  tagged: readonly Tagged[],
  room: Bounds,
  measure: (mark: number) => Size,
  /** Positions of other tags. */
  taken: readonly Bounds[] = [],
): Tag[] {
  const controls = new SpatialIndex();
  const tags = new SpatialIndex();
  for (const one of taken) tags.add(edgesOf(one));
  const edges = tagged.map(({ bounds }) => edgesOf(bounds));
  for (const one of edges) controls.add(one);
  const order = tagged.map((_, at) => at).sort((one, other) => compareSizes(tagged, edges, one, other));
  const places: (Bounds | undefined)[] = tagged.map(() => undefined);
  for (const at of order) {
    const [one, own] = [tagged[at], edges[at]];
    if (one === undefined || own === undefined) continue;
    const place = choosePlace(one.bounds, own, measure(one.mark), room, { controls, tags });
    places[at] = place;
    tags.add(edgesOf(place));
  }
  return tagged.map((one, at) => ({ ...one, tag: places[at] ?? one.bounds }));
}

interface Crowds {
  readonly controls: SpatialIndex;
  readonly tags: SpatialIndex;
}

/** An unreadable number is worse than a partly covered control. */
const tagWeight = 4;
/** Covering its own control is unambiguous; on a neighbour the tag would be taken for the neighbour's. */
const [ownWeight, touchCost] = [0.5, 0.1];
/** A tag may lie on the empty background of a large container. */
const groundShare = 1 / 16;

function compareSizes(tagged: readonly Tagged[], edges: readonly Edges[], one: number, other: number): number {
  const difference = (edges[one]?.area ?? 0) - (edges[other]?.area ?? 0);
  return difference || (tagged[one]?.mark ?? 0) - (tagged[other]?.mark ?? 0) || one - other;
}

function choosePlace(bounds: Bounds, own: Edges, size: Size, room: Bounds, crowds: Crowds): Bounds {
  const around = growBy(own, size);
  const tagArea = Math.max(1, size.width * size.height);
  const isObstacle = (one: Edges): boolean => one !== own && !(tagArea <= groundShare * one.area && holds(one, own));
  const large = crowds.controls.findLarge(around).filter(isObstacle);
  // A control outside the area gets its tag at the area's edge, away from the control.
  const isFarReaching = isWide(around) || sharedArea(own, edgesOf(room)) === 0;
  const near = isFarReaching ? [] : crowds.controls.find(around).filter(isObstacle);
  const nearTags = isFarReaching ? [] : crowds.tags.find(around);
  let best = keepWithin({ x: bounds.x, y: bounds.y, width: size.width, height: size.height }, room);
  let leastCost = Number.POSITIVE_INFINITY;
  for (const [x, y] of listSpots(bounds, size)) {
    const place = keepWithin({ x, y, width: size.width, height: size.height }, room);
    const tag = edgesOf(place);
    const costOfTags = sumShares(tag, isFarReaching ? crowds.tags.find(tag) : nearTags, leastCost / tagWeight);
    let cost = tagWeight * costOfTags + (ownWeight * sharedArea(tag, own)) / own.area;
    if (cost >= leastCost) continue;
    const others = isFarReaching ? crowds.controls.find(tag).filter(isObstacle) : near;
    cost += sumShares(tag, others, leastCost - cost, touchCost);
    if (cost >= leastCost) continue;
    cost += sumShares(tag, large, leastCost - cost, touchCost);
    if (cost >= leastCost) continue;
    best = place;
    leastCost = cost;
    if (cost === 0) break;
  }
  return best;
}

/** The covered shares plus `each` per object; stops at `enough`. */
function sumShares(tag: Edges, others: readonly Edges[], enough: number, each = 0): number {
  let sum = 0;
  for (const other of others) {
    const shared = sharedArea(tag, other);
    if (shared > 0) sum += each + shared / other.area;
    if (sum >= enough) return sum;
  }
  return sum;
}

/** Outside first, above and below before the sides; then inside from the right, since labels start at the left. */
export function listSpots({ x, y, width, height }: Bounds, size: Size): readonly (readonly [number, number])[] {
  const [left, right, above, below] = [x - size.width, x + width, y - size.height, y + height];
  const [lastX, lastY] = [right - size.width, below - size.height];
  const middleX = x + Math.floor((width - size.width) / 2);
  const middleY = y + Math.floor((height - size.height) / 2);
  return [
    [x, above],
    [lastX, above],
    [x, below],
    [lastX, below],
    [left, y],
    [right, y],
    [left, middleY],
    [right, middleY],
    [left, lastY],
    [right, lastY],
    [middleX, above],
    [middleX, below],
    [left, above],
    [right, above],
    [left, below],
    [right, below],
    [lastX, y],
    [lastX, lastY],
    [x, y],
    [x, lastY],
    [lastX, middleY],
    [middleX, y],
    [middleX, lastY],
    [x, middleY],
  ];
}

function growBy({ left, top, right, bottom, area }: Edges, { width, height }: Size): Edges {
  return { left: left - width, top: top - height, right: right + width, bottom: bottom + height, area };
}
