import type { Raster } from "./scale.ts";

const headerBytes = 54;

/**
 * A baseline JPEG from Bun's encoder (libjpeg-turbo). It accepts only files, so the pixels are passed as a bitmap file:
 * a header followed by the pixels; figures in docs/decisions.md.
 */
export function encodeJpeg({ pixels, width, height }: Raster, quality: number): Promise<Uint8Array> {
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
  return new Bun.Image(file).jpeg({ quality }).bytes();
}
