import { spawnSync } from "node:child_process";
import type { Raster } from "../../src/picture/scale.ts";

export interface Decoded {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue. */
  readonly rgb: Buffer;
}

/** Decodes a picture with ImageMagick, which shares no code with our encoders. */
export function decode(file: Uint8Array, format: "png" | "jpg"): Decoded {
  const { status, stdout, stderr } = spawnSync("convert", [`${format}:-`, "-depth", "8", "ppm:-"], {
    input: file,
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`convert: ${stderr}`);
  return parsePpm(stdout);
}

/** "P6", width, height and 255, each followed by one blank; then the pixels. */
export function parsePpm(bytes: Buffer): Decoded {
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.toString("latin1", 0, 64));
  if (head === null) throw new Error(`not a picture: ${bytes.toString("latin1", 0, 20)}`);
  return { width: Number(head[1]), height: Number(head[2]), rgb: bytes.subarray(head[0].length) };
}

export function toRgb({ pixels, width, height }: Raster): Buffer {
  const rgb = Buffer.alloc(width * height * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    rgb[to] = pixels[from + 2] ?? 0;
    rgb[to + 1] = pixels[from + 1] ?? 0;
    rgb[to + 2] = pixels[from] ?? 0;
  }
  return rgb;
}

/** A picture whose pixels are given one by one: red, green, blue. */
export function draw(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Raster {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      const [red = 0, green = 0, blue = 0] = colour(x, y);
      pixels.set([blue, green, red, 255], at);
    }
  }
  return { pixels, width, height };
}
