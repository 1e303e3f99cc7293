import { type Bounds, boundsAround, intersect, type Point } from "../model/bounds.ts";
import type { Raster } from "./scale.ts";

/** A picture with the part of the screen that it shows, one pixel for each. */
export interface PlacedRaster extends Raster {
  readonly x: number;
  readonly y: number;
}

/** How much of what two pictures share is different: 0 to 1. */
export interface Difference {
  /** Around the point, in small cells. */
  readonly near: number;
  /** Everywhere, in large cells. */
  readonly wide: number;
}

const nearSize = { width: 160, height: 120 };
/** A point at the edge of a picture has less around it; with less than this nothing can be told. */
const leastNear = { width: 40, height: 30 };
const [nearCell, wideCell] = [4, 16];
/** Of 255. Smoothing of edges and the shade under a pointer are less, another letter or another control is more. */
const leastShade = 20;

/** The measured limits: see "Pictures of steps" in docs/decisions.md. */
const most: Difference = { near: 0.02, wide: 0.08 };

/** Undefined if the pictures do not both show the surroundings of the point. */
export function compareLooks(one: PlacedRaster, other: PlacedRaster, point: Point): Difference | undefined {
  const shared = intersect(one, other);
  const near = shared && intersect(shared, boundsAround(point, nearSize));
  if (shared === undefined || near === undefined) return undefined;
  if (near.width < leastNear.width || near.height < leastNear.height) return undefined;
  return { near: countDifferent(one, other, near, nearCell), wide: countDifferent(one, other, shared, wideCell) };
}

export function isSameLook({ near, wide }: Difference): boolean {
  return near <= most.near && wide <= most.wide;
}

/** The share of cells whose mean colour is different. */
function countDifferent(one: PlacedRaster, other: PlacedRaster, part: Bounds, cell: number): number {
  let [all, different] = [0, 0];
  for (let y = part.y; y < part.y + part.height; y += cell) {
    for (let x = part.x; x < part.x + part.width; x += cell) {
      const size = {
        width: Math.min(cell, part.x + part.width - x),
        height: Math.min(cell, part.y + part.height - y),
      };
      const [a, b] = [meanOf(one, { x, y, ...size }), meanOf(other, { x, y, ...size })];
      all += 1;
      if (a.some((value, at) => Math.abs(value - (b[at] ?? 0)) > leastShade)) different += 1;
    }
  }
  return different / all;
}

function meanOf({ pixels, width: stride, x: left, y: top }: PlacedRaster, { x, y, width, height }: Bounds): number[] {
  let [blue, green, red] = [0, 0, 0];
  for (let row = y - top; row < y - top + height; row += 1) {
    let at = (row * stride + x - left) * 4;
    for (let column = 0; column < width; column += 1, at += 4) {
      blue += pixels[at] ?? 0;
      green += pixels[at + 1] ?? 0;
      red += pixels[at + 2] ?? 0;
    }
  }
  const area = width * height;
  return [blue / area, green / area, red / area];
}
