import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { cropRaster, decode } from "../../src/picture/decode.ts";
import { encode, encodePngAside } from "../../src/picture/encode.ts";
import { draw, toRgb } from "./pictures.ts";

const picture = draw(37, 23, (x, y) => [x * 6, y * 9, (x * y) % 256]);

test("what was encoded here, or in another thread, is the same again", async () => {
  for (const file of [await encode(picture, "png", 80), await encodePngAside(picture)]) {
    const back = await decode(file);
    expect([back.width, back.height]).toEqual([37, 23]);
    expect(toRgb(back).equals(toRgb(picture))).toBe(true);
  }
});

test("files of other programs: a palette, grey, sixteen bits, WebP", async () => {
  const file = await encode(picture, "png", 80);
  for (const words of [
    ["-colors", "16", "png8:-"],
    ["-colorspace", "Gray", "png:-"],
    ["-depth", "16", "png:-"],
    ["webp:-"],
  ]) {
    const made = spawnSync("convert", ["png:-", ...words], { input: file });
    const back = await decode(made.stdout);
    expect([back.width, back.height, back.pixels.length]).toEqual([37, 23, 37 * 23 * 4]);
  }
});

test("what is no picture is refused", async () => {
  expect(decode(Buffer.from("no picture"))).rejects.toThrow();
});

test("a part has the pixels of that part", async () => {
  const part = cropRaster(picture, { x: 5, y: 7, width: 11, height: 3 });
  const wanted = draw(11, 3, (x, y) => [(x + 5) * 6, (y + 7) * 9, ((x + 5) * (y + 7)) % 256]);
  expect(toRgb(part).equals(toRgb(wanted))).toBe(true);
});
