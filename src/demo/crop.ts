import { type Bounds, boundsAround, centreOf, containsBounds, intersect, keepWithin } from "../model/bounds.ts";
import { cropRaster, decode } from "../picture/decode.ts";
import { drawMarks } from "../picture/draw-marks.ts";
import { encodePng } from "../picture/encode.ts";
import type { Demo, Step } from "./file.ts";
import { readPicture } from "./pictures.ts";

const size = { width: 480, height: 320 };
const pointPx = 24;

export function fromBox([left, top, right, bottom]: readonly [number, number, number, number]): Bounds {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Where a step went: its control, or a small place around its point. */
export function findPlace({ ref, point }: Step): Bounds | undefined {
  if (ref?.bbox !== undefined) return fromBox(ref.bbox);
  return point && boundsAround({ x: point[0], y: point[1] }, { width: pointPx, height: pointPx });
}

/** What each step shows, around its control, which is outlined and numbered; PNG files as data addresses. */
export async function makeCrops({ steps }: Demo, folder: string): Promise<ReadonlyMap<number, string>> {
  const crops = new Map<number, string>();
  for (const [index, step] of steps.entries()) {
    const png = await makeCrop(folder, step, index + 1).catch(() => undefined);
    if (png !== undefined) crops.set(index, toAddress(png));
  }
  return crops;
}

export function toAddress(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
}

/** Undefined without a picture; throws if it is damaged. */
export async function makeCrop(folder: string, step: Step, number?: number): Promise<Uint8Array | undefined> {
  const stored = readPicture(folder, step);
  if (stored === undefined) return undefined;
  const raster = await decode(stored.bytes);
  const [left, top] = stored.bbox;
  const whole = { x: 0, y: 0, width: raster.width, height: raster.height };
  const found = findPlace(step);
  const place = found && intersect({ ...found, x: found.x - left, y: found.y - top }, whole);
  const part = choosePart(whole, place);
  const crop = cropRaster(raster, part);
  if (place !== undefined && number !== undefined && containsBounds(whole, place)) {
    drawMarks(crop, [{ mark: number, bounds: { ...place, x: place.x - part.x, y: place.y - part.y } }]);
  }
  return encodePng(crop);
}

function choosePart(whole: Bounds, place: Bounds | undefined): Bounds {
  const fit = { width: Math.min(size.width, whole.width), height: Math.min(size.height, whole.height) };
  return keepWithin(boundsAround(centreOf(place ?? whole), fit), whole);
}
