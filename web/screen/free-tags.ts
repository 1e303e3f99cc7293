import type { Tag } from "../../src/marks/tag.ts";
import { type Bounds, intersect } from "../../src/model/bounds.ts";

/** A control this many times as large as a tag stays recognisable under it. */
const otherFactor = 16;

/** A tag may hide more of its own control: it is not mistaken for another's. */
const ownFactor = 5;

/** Keeps the tags that hide neither another control nor another tag, and only little of their own control. */
export function keepFree(tags: readonly Tag[]): readonly Tag[] {
  const kept: Tag[] = [];
  for (const one of tags) {
    const isFree =
      tags.every((other) => {
        const factor = other === one ? ownFactor : otherFactor;
        return isMuchLarger(other.bounds, one.tag, factor) || intersect(other.bounds, one.tag) === undefined;
      }) && kept.every(({ tag }) => intersect(tag, one.tag) === undefined);
    if (isFree) kept.push(one);
  }
  return kept;
}

function isMuchLarger(bounds: Bounds, tag: Bounds, factor: number): boolean {
  return bounds.width * bounds.height >= factor * tag.width * tag.height;
}
