import { type Bounds, intersect } from "../../model/bounds.ts";
import type { Covered, Picture } from "../../model/frame.ts";
import { grow, subtract } from "../../model/region.ts";

/** One flat colour, whatever was there: dark grey over fields, black over windows. */
const colours: Readonly<Record<Covered["what"], number>> = {
  secret: 0xff484848,
  blind: 0xff000000,
  unread: 0xff000000,
};

/** The same picture with some of it painted over; what lay outside is not told of. */
export function paintOver(picture: Picture, wanted: readonly Covered[]): Picture {
  const covered = mergeSame(
    wanted.flatMap((one) => {
      const bounds = intersect(one.bounds, picture.bounds);
      return bounds === undefined ? [] : [{ ...one, bounds }];
    }),
  );
  if (covered.length === 0) return { ...picture, covered };
  const { pixels } = picture;
  // Whole pixels are written; memory that does not begin at one is copied first.
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : pixels.slice();
  const words = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
  for (const { what, bounds } of covered) fill(words, picture.bounds, bounds, colours[what]);
  return { pixels: aligned, bounds: picture.bounds, covered };
}

function fill(words: Uint32Array, whole: Bounds, place: Bounds, colour: number): void {
  const left = place.x - whole.x;
  for (let y = place.y - whole.y; y < place.y - whole.y + place.height; y += 1) {
    const start = y * whole.width + left;
    words.fill(colour, start, start + place.width);
  }
}

/** What was seen twice at the same place is one thing. */
function mergeSame(covered: readonly Covered[]): Covered[] {
  const keyOf = ({ what, bounds: { x, y, width, height }, app }: Covered): string =>
    [what, x, y, width, height, app].join(" ");
  return [...new Map(covered.map((one) => [keyOf(one), one])).values()];
}

/** Whether two pictures of one place are the same around some places within it; what is in these does not count. */
export function isSameAround(a: Picture, b: Picture, places: readonly Bounds[], by: number): boolean {
  const { x, y, width, height } = a.bounds;
  const isOnePlace = b.bounds.x === x && b.bounds.y === y && b.bounds.width === width && b.bounds.height === height;
  if (!isOnePlace) return false;
  const around = places.flatMap((place) => subtract(grow(place, by), places));
  return around.every((one) => {
    const part = intersect(one, a.bounds);
    return part === undefined || isSamePart(a, b, part);
  });
}

/** Of the 4 bytes of a pixel the last is nobody's. */
function isSamePart(a: Picture, b: Picture, part: Bounds): boolean {
  const [left, top] = [part.x - a.bounds.x, part.y - a.bounds.y];
  for (let row = top; row < top + part.height; row += 1) {
    const start = (row * a.bounds.width + left) * 4;
    for (let at = start; at < start + part.width * 4; at += 4) {
      const isSame =
        a.pixels[at] === b.pixels[at] && a.pixels[at + 1] === b.pixels[at + 1] && a.pixels[at + 2] === b.pixels[at + 2];
      if (!isSame) return false;
    }
  }
  return true;
}
