import { listSpots } from "../../src/marks/place-tags.ts";
import type { Tag } from "../../src/marks/tag.ts";
import { type Bounds, intersect, keepWithin } from "../../src/model/bounds.ts";

/** A control this many times as large as a tag stays recognisable under it. */
const otherFactor = 16;

/** A tag may hide this share of its own control: it is not mistaken for another's. */
const ownShare = 1 / 5;

/**
 * Keeps the tags that hide neither another control nor another tag, and only little of their own control. The others take
 * the first place around their control that is free of those kept; without one they are left out.
 */
export function keepFree(tags: readonly Tag[], room: Bounds): readonly Tag[] {
  const kept = new Map<Tag, Bounds>();
  const isFree = (one: Tag, place: Bounds): boolean =>
    tags.every((other) => {
      const hidden = intersect(other.bounds, place);
      if (hidden === undefined) return true;
      return other === one
        ? areaOf(hidden) <= ownShare * areaOf(one.bounds)
        : areaOf(other.bounds) >= otherFactor * areaOf(place);
    }) && kept.values().every((tag) => intersect(tag, place) === undefined);
  for (const one of tags) if (isFree(one, one.tag)) kept.set(one, one.tag);
  for (const one of tags) {
    if (kept.has(one)) continue;
    const places = listSpots(one.bounds, one.tag).map(([x, y]) => keepWithin({ ...one.tag, x, y }, room));
    const place = places.find((spot) => isFree(one, spot));
    if (place !== undefined) kept.set(one, place);
  }
  return tags.flatMap((one) => {
    const tag = kept.get(one);
    return tag === undefined ? [] : [{ ...one, tag }];
  });
}

function areaOf({ width, height }: Bounds): number {
  return width * height;
}
