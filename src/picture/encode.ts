import type { ImageFormat } from "../model/frame.ts";
import type { Raster } from "./scale.ts";

export { scaleDown } from "./scale.ts";

export async function encode(raster: Raster, format: ImageFormat, quality: number): Promise<Uint8Array> {
  return format === "png" ? encodePng(raster) : encodeJpeg(raster, quality);
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const bitsPerChannel = 8;
const colourTypeRgb = 2;
/** Stores each byte as the difference from the pixel on the left: flat areas become zeros. */
const filterLeft = 1;
/** zlib, 32 kB window, fastest level. */
const zlibHeader = [0x78, 0x01];

/**
 * An RGB PNG without alpha (PNG specification, third edition). Bun's libdeflate at its lowest level is faster and
 * smaller than the encoder in Bun.Image; figures in docs/decisions.md.
 */
export function encodePng({ pixels, width, height }: Raster): Uint8Array {
  const rows = filterRows(pixels, width, height);
  const packed = Bun.deflateSync(rows, { level: 1, library: "libdeflate" });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bitsPerChannel;
  header[9] = colourTypeRgb;
  const check = Buffer.alloc(4);
  check.writeUInt32BE(Bun.hash.adler32(rows));
  return Buffer.concat([
    Buffer.from(signature),
    ...chunk("IHDR", [header]),
    ...chunk("IDAT", [Buffer.from(zlibHeader), packed, check]),
    ...chunk("IEND", []),
  ]);
}

function chunk(type: string, parts: readonly Uint8Array[]): Uint8Array[] {
  const named = Buffer.concat([Buffer.from(type, "latin1"), ...parts]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(named.length - 4);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(Bun.hash.crc32(named));
  return [length, named, check];
}

function filterRows(pixels: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = new Uint8Array(height * (1 + 3 * width));
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    rows[to] = filterLeft;
    to += 1;
    let [leftRed, leftGreen, leftBlue] = [0, 0, 0];
    for (let x = 0; x < width; x += 1, from += 4, to += 3) {
      const blue = pixels[from] ?? 0;
      const green = pixels[from + 1] ?? 0;
      const red = pixels[from + 2] ?? 0;
      rows[to] = red - leftRed;
      rows[to + 1] = green - leftGreen;
      rows[to + 2] = blue - leftBlue;
      leftRed = red;
      leftGreen = green;
      leftBlue = blue;
    }
  }
  return rows;
}

const headerBytes = 54;

/** A PNG that is made in another thread: slower and larger, and this one goes on meanwhile. */
export function encodePngAside(raster: Raster): Promise<Uint8Array> {
  return new Bun.Image(makeBitmap(raster)).png({ compressionLevel: 3 }).bytes();
}

/**
 * A baseline JPEG from Bun's encoder (libjpeg-turbo). It accepts only files, so the pixels are passed as a bitmap file:
 * a header followed by the pixels; figures in docs/decisions.md.
 */
function encodeJpeg(raster: Raster, quality: number): Promise<Uint8Array> {
  return new Bun.Image(makeBitmap(raster)).jpeg({ quality }).bytes();
}

function makeBitmap({ pixels, width, height }: Raster): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(headerBytes + pixels.length);
  file.write("BM", 0, "latin1");
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(headerBytes, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  // A negative height means rows from the top.
  file.writeInt32LE(-height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(32, 28);
  file.set(pixels, headerBytes);
  return file;
}
