import { type Bounds, boundsAround, centreOf, intersect } from "../src/model/bounds.ts";
import { grow } from "../src/model/region.ts";
import type { TakenPicture } from "./screen/picture-feed.ts";

/** The same margin and minimum size as the daemon's crops. */
const [aroundPx, least] = [48, { width: 320, height: 180 }];

/** The part of the live picture around a place, in pixels of its file; undefined if the picture does not show the place. */
export function findPart(
  { origin, scale, width, height }: Pick<TakenPicture, "origin" | "scale" | "width" | "height">,
  place: Bounds,
): Bounds | undefined {
  const wide = grow(place, aroundPx);
  const size = { width: Math.max(wide.width, least.width), height: Math.max(wide.height, least.height) };
  const wanted = boundsAround(centreOf(place), size);
  const part = {
    x: Math.round((wanted.x - origin.x) * scale),
    y: Math.round((wanted.y - origin.y) * scale),
    width: Math.round(wanted.width * scale),
    height: Math.round(wanted.height * scale),
  };
  return intersect(part, { x: 0, y: 0, width, height });
}
