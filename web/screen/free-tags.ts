import type { Tag } from "../../src/marks/tag.ts";
import { type Bounds, intersect } from "../../src/model/bounds.ts";

/** What is so much larger than a tag shows nearly all of itself beside it. */
const groundShare = 16;

/** The tags that hide no control, of those and of others, and no tag. */
export function keepFree(tags: readonly Tag[]): readonly Tag[] {
  const kept: Tag[] = [];
  for (const one of tags) {
    const isFree =
      tags.every(({ bounds }) => isGround(bounds, one.tag) || intersect(bounds, one.tag) === undefined) &&
      kept.every(({ tag }) => intersect(tag, one.tag) === undefined);
    if (isFree) kept.push(one);
  }
  return kept;
}

function isGround(bounds: Bounds, tag: Bounds): boolean {
  return bounds.width * bounds.height >= groundShare * tag.width * tag.height;
}
