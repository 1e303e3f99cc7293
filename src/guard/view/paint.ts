import { type Bounds, intersect } from "../../model/bounds.ts";
import type { Covered, Picture } from "../../model/frame.ts";

/** Dark grey over fields, black over windows. */
const colours: Readonly<Record<Covered["what"], number>> = {
  secret: 0xff484848,
  blind: 0xff000000,
  unread: 0xff000000,
};

/** The same picture with places painted over. Places outside the picture are not listed. */
export function paintOver(picture: Picture, wanted: readonly Covered[]): Picture {
  const covered = mergeSame(
    [...(picture.covered ?? []), ...wanted].flatMap((one) => {
      const bounds = intersect(one.bounds, picture.bounds);
      return bounds === undefined ? [] : [{ ...one, bounds }];
    }),
  );
  if (covered.length === 0) return { ...picture, covered };
  const { pixels } = picture;
  // Pixels are written as 32-bit words; unaligned memory is copied first.
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

function mergeSame(covered: readonly Covered[]): Covered[] {
  const keyOf = ({ what, bounds: { x, y, width, height }, app }: Covered): string =>
    [what, x, y, width, height, app].join(" ");
  return [...new Map(covered.map((one) => [keyOf(one), one])).values()];
}

/** The smallest area that contains every pixel of `places` that differs between the pictures; undefined if none does. */
export function findChange(
  picture: Picture,
  others: readonly Picture[],
  places: readonly Bounds[],
): Bounds | undefined {
  const parts = places.flatMap((place) => intersect(place, picture.bounds) ?? []);
  const { x, y, width, height } = picture.bounds;
  const edges = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { bounds, pixels } of others) {
    // Pictures of different areas cannot be compared.
    const isOnePlace = bounds.x === x && bounds.y === y && bounds.width === width && bounds.height === height;
    if (!isOnePlace) return picture.bounds;
    for (const part of parts) widenToChange(edges, part, picture, pixels);
  }
  const { left, top, right, bottom } = edges;
  return right < left ? undefined : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

type Edges = Record<"left" | "top" | "right" | "bottom", number>;

function widenToChange(edges: Edges, part: Bounds, { pixels, bounds }: Picture, other: Uint8Array): void {
  for (let y = part.y; y < part.y + part.height; y += 1) {
    const row = (y - bounds.y) * bounds.width - bounds.x;
    const isChanged = (x: number): boolean => isOtherPixel(pixels, other, (row + x) * 4);
    const last = part.x + part.width - 1;
    let left = part.x;
    while (left <= last && !isChanged(left)) left += 1;
    if (left > last) continue;
    let right = last;
    while (!isChanged(right)) right -= 1;
    edges.left = Math.min(edges.left, left);
    edges.right = Math.max(edges.right, right);
    edges.top = Math.min(edges.top, y);
    edges.bottom = Math.max(edges.bottom, y);
  }
}

/** Compares three bytes of four: the last one is unused. */
function isOtherPixel(a: Uint8Array, b: Uint8Array, at: number): boolean {
  return a[at] !== b[at] || a[at + 1] !== b[at + 1] || a[at + 2] !== b[at + 2];
}
