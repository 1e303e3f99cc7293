import type { ImageFormat } from "../model/frame.ts";
import { encodeJpeg } from "./jpeg.ts";
import { encodePng } from "./png.ts";
import type { Raster } from "./scale.ts";

export { scaleDown } from "./scale.ts";

export async function encode(raster: Raster, format: ImageFormat, quality: number): Promise<Uint8Array> {
  return format === "png" ? encodePng(raster) : encodeJpeg(raster, quality);
}
