import { type Bounds, boundsAround, centreOf, intersect } from "../model/bounds.ts";
import type { Picture } from "../model/frame.ts";
import { compareHashes, hashRegion } from "./visual-hash.ts";

/** Of 64 bits: what is drawn in the same place again has the same ones, another control about half of them different. */
const maxDifference = 4;
const maxDifferenceAround = 10;
/** Of 16 steps of each colour. */
const maxShade = 2;

/**
 * How a place looks: what is drawn on it, its colour, and what is drawn around it within a window. Empty where nothing is
 * drawn on it: then nothing tells it from any other.
 */
export function describeLook(picture: Picture, place: Bounds, window: Bounds | undefined): string {
  const seen = intersect(place, picture.bounds);
  const own = seen === undefined ? "" : hashRegion(picture, seen);
  if (seen === undefined || own === "") return "";
  const around = window && intersect(placeAround(place), window);
  const inPicture = around && intersect(around, picture.bounds);
  return [own, readColour(picture, seen), inPicture === undefined ? "" : hashRegion(picture, inPicture)].join(" ");
}

/** Every dialog has an "OK": what is drawn around one tells which it is. */
export function placeAround(place: Bounds): Bounds {
  const size = { width: Math.max(300, place.width), height: Math.max(200, place.height) };
  return boundsAround(centreOf(place), size);
}

export function hasLook(picture: Picture, place: Bounds): boolean {
  return describeLook(picture, place, undefined) !== "";
}

/** Nothing looks like what has no look. */
export function looksSame(before: string, now: string): boolean {
  const [own = "", colour = "", around = ""] = before.split(" ");
  const [ownNow = "", colourNow = "", aroundNow = ""] = now.split(" ");
  if (own === "" || compareHashes(own, ownNow) > maxDifference) return false;
  if (!isSameColour(colour, colourNow)) return false;
  return around === "" || compareHashes(around, aroundNow) <= maxDifferenceAround;
}

/** Its mean colour, a hexadecimal digit each for red, green and blue. */
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
