import type { Tag } from "../../src/marks/tag.ts";
import { type Bounds, intersect } from "../../src/model/bounds.ts";

/** What is so much larger than a tag shows nearly all of itself beside it. */
const groundShare = 16;

/** So much of its own control a tag may hide: nobody takes it for another's. */
const ownShare = 5;

/** The tags that hide no other control, little of their own, and no tag. */
export function keepFree(tags: readonly Tag[]): readonly Tag[] {
  const kept: Tag[] = [];
  for (const one of tags) {
    const isFree =
      tags.every((other) => {
        const share = other === one ? ownShare : groundShare;
        return isGround(other.bounds, one.tag, share) || intersect(other.bounds, one.tag) === undefined;
      }) && kept.every(({ tag }) => intersect(tag, one.tag) === undefined);
    if (isFree) kept.push(one);
  }
  return kept;
}

function isGround(bounds: Bounds, tag: Bounds, share: number): boolean {
  return bounds.width * bounds.height >= share * tag.width * tag.height;
}
