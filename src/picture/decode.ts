import { inflateSync } from "node:zlib";
import type { Raster } from "./scale.ts";

const maxPixels = 64_000_000;
const signatureBytes = 8;

/** The pixels of a PNG, JPEG or WebP file. Throws if it is none, or damaged. */
export async function decode(file: Uint8Array): Promise<Raster> {
  // Bun gives no pixels, but any file as a PNG of 8 bits per channel that is hardly packed.
  const png = await new Bun.Image(file, { maxPixels }).png({ compressionLevel: 0 }).bytes();
  return unpack(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
}

/** Bytes of a pixel by the colour type of the PNG: RGB or RGBA. */
const bytesOf: ReadonlyMap<number, number> = new Map([
  [2, 3],
  [6, 4],
]);

function unpack(png: Buffer): Raster {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const depth = bytesOf.get(png[25] ?? 0);
  if (depth === undefined || png[24] !== 8) throw new Error("the picture has an unknown form");
  const parts: Buffer[] = [];
  for (let at = signatureBytes; at + 8 <= png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return { pixels: unfilter(inflateSync(Buffer.concat(parts)), width, height, depth), width, height };
}

/** Takes back what PNG's filters did to each row, and orders the channels as a Raster has them. */
function unfilter(rows: Uint8Array, width: number, height: number, depth: number): Uint8Array {
  const stride = width * depth;
  const pixels = new Uint8Array(width * height * 4).fill(255);
  let before = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const filter = rows[start] ?? 0;
    const row = rows.slice(start + 1, start + 1 + stride);
    if (filter !== 0) {
      for (let at = 0; at < stride; at += 1) {
        const left = at < depth ? 0 : (row[at - depth] ?? 0);
        const up = before[at] ?? 0;
        const corner = at < depth ? 0 : (before[at - depth] ?? 0);
        row[at] = (row[at] ?? 0) + predict(filter, left, up, corner);
      }
    }
    for (let x = 0, from = 0, to = y * width * 4; x < width; x += 1, from += depth, to += 4) {
      pixels[to] = row[from + 2] ?? 0;
      pixels[to + 1] = row[from + 1] ?? 0;
      pixels[to + 2] = row[from] ?? 0;
    }
    before = row;
  }
  return pixels;
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** A part of a picture, which must lie in it. */
export function cropRaster(
  { pixels, width }: Raster,
  part: Readonly<Record<"x" | "y" | "width" | "height", number>>,
): Raster {
  const cut = new Uint8Array(part.width * part.height * 4);
  for (let y = 0; y < part.height; y += 1) {
    const start = ((part.y + y) * width + part.x) * 4;
    cut.set(pixels.subarray(start, start + part.width * 4), y * part.width * 4);
  }
  return { pixels: cut, width: part.width, height: part.height };
}
