import { type Bounds, boundsAround, centreOf, intersect } from "../model/bounds.ts";
import type { Picture } from "../model/frame.ts";
import { compareHashes, hashRegion } from "./visual-hash.ts";

/** Maximum number of differing bits of 64: the same drawing has none, another control about half. */
const maxDifference = 4;
const maxDifferenceAround = 10;
/** Maximum difference per channel, of 16 steps. */
const maxShade = 2;

/**
 * Describes the appearance of a place: a hash of its drawing, its colour, and a hash of its surroundings in the window.
 * Empty if nothing is drawn there: then nothing distinguishes it.
 */
export function describeAppearance(picture: Picture, place: Bounds, window: Bounds | undefined): string {
  const seen = intersect(place, picture.bounds);
  const own = seen === undefined ? "" : hashRegion(picture, seen);
  if (seen === undefined || own === "") return "";
  const around = window && intersect(placeAround(place), window);
  const inPicture = around && intersect(around, picture.bounds);
  return [own, readColour(picture, seen), inPicture === undefined ? "" : hashRegion(picture, inPicture)].join(" ");
}

/** Every dialog has an "OK"; the surroundings tell which one it is. */
export function placeAround(place: Bounds): Bounds {
  const size = { width: Math.max(300, place.width), height: Math.max(200, place.height) };
  return boundsAround(centreOf(place), size);
}

export function hasAppearance(picture: Picture, place: Bounds): boolean {
  return describeAppearance(picture, place, undefined) !== "";
}

/** False if `before` is empty. */
export function isSameAppearance(before: string, now: string): boolean {
  const [own = "", colour = "", around = ""] = before.split(" ");
  const [ownNow = "", colourNow = "", aroundNow = ""] = now.split(" ");
  if (own === "" || compareHashes(own, ownNow) > maxDifference) return false;
  if (!isSameColour(colour, colourNow)) return false;
  return around === "" || compareHashes(around, aroundNow) <= maxDifferenceAround;
}

/** The mean colour: one hexadecimal digit each for red, green and blue. */
function readColour({ pixels, bounds }: Picture, { x, y, width, height }: Bounds): string {
  const sums = [0, 0, 0];
  for (let row = y - bounds.y; row < y - bounds.y + height; row += 1) {
    for (let column = x - bounds.x; column < x - bounds.x + width; column += 1) {
      const at = (row * bounds.width + column) * 4;
      for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (pixels[at + 2 - channel] ?? 0);
    }
  }
  return sums.map((sum) => Math.floor(sum / (width * height) / 16).toString(16)).join("");
}

function isSameColour(one: string, other: string): boolean {
  return [0, 1, 2].every((at) => {
    return Math.abs(Number.parseInt(one.charAt(at), 16) - Number.parseInt(other.charAt(at), 16)) <= maxShade;
  });
}
