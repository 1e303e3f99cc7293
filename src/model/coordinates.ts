import type { Bounds, Point } from "./bounds.ts";

/**
 * The only place where coordinates are converted. Internally there is one space, physical screen pixels; every other
 * space has an origin in it and a scale.
 *
 * Integers name pixels: pixel 3 is the square from 3 to 4, and its centre is 3.5. A pixel of one space maps to the
 * pixel of the other that contains its centre. So frame → screen → frame is exact at scales up to 1, screen → frame →
 * screen at scales from 1; the other way the error is less than 1 / scale, one pixel of the coarser space.
 *
 * Pages and overlays use fractional pixels: a screen position maps to its exact position there, and a position there to
 * the screen pixel that contains it. Screen → page → screen is exact at every scale.
 *
 * The edges of bounds are lines between pixels; each maps to the nearest line.
 */

/** No point of a screen is farther from its origin, and no window is larger: platforms send 16 bits. */
export const farthest = 32_767;

/** A picture of part of the screen: `scale` picture pixels per screen pixel. */
export interface FramePlace {
  readonly origin: Point;
  readonly scale: number;
}

/** A page, or an overlay on one monitor: `scaleFactor` screen pixels per pixel. */
export interface PagePlace {
  readonly origin: Point;
  readonly scaleFactor: number;
}

/** Floating-point errors must not move a position across a pixel edge: 0.7 × 10 is slightly less than 7. */
const tolerance = 1e-6;

function floor(value: number): number {
  return Math.floor(value + tolerance);
}

/** Relative to a window's or monitor's upper left corner, for points and bounds; unscaled. */
export function toLocal<Place extends Point>(place: Place, { x, y }: Point): Place {
  return { ...place, x: place.x - x, y: place.y - y };
}

export function fromLocal<Place extends Point>(place: Place, { x, y }: Point): Place {
  return { ...place, x: place.x + x, y: place.y + y };
}

export function screenToFrame({ x, y }: Point, { origin, scale }: FramePlace): Point {
  return { x: floor((x - origin.x + 0.5) * scale), y: floor((y - origin.y + 0.5) * scale) };
}

export function frameToScreen({ x, y }: Point, { origin, scale }: FramePlace): Point {
  return { x: origin.x + floor((x + 0.5) / scale), y: origin.y + floor((y + 0.5) / scale) };
}

/** A nonempty rectangle stays at least one pixel wide and high. */
export function screenBoundsToFrame(bounds: Bounds, { origin, scale }: FramePlace): Bounds {
  return scaleEdges(toLocal(bounds, origin), scale);
}

export function frameBoundsToScreen(bounds: Bounds, { origin, scale }: FramePlace): Bounds {
  return fromLocal(scaleEdges(bounds, 1 / scale), origin);
}

export function screenToPage({ x, y }: Point, { origin, scaleFactor }: PagePlace): Point {
  return { x: (x - origin.x + 0.5) / scaleFactor, y: (y - origin.y + 0.5) / scaleFactor };
}

export function pageToScreen({ x, y }: Point, { origin, scaleFactor }: PagePlace): Point {
  return { x: origin.x + floor(x * scaleFactor), y: origin.y + floor(y * scaleFactor) };
}

export function screenBoundsToPage({ x, y, width, height }: Bounds, { origin, scaleFactor }: PagePlace): Bounds {
  return {
    x: (x - origin.x) / scaleFactor,
    y: (y - origin.y) / scaleFactor,
    width: width / scaleFactor,
    height: height / scaleFactor,
  };
}

export function pageBoundsToScreen(bounds: Bounds, { origin, scaleFactor }: PagePlace): Bounds {
  return fromLocal(scaleEdges(bounds, scaleFactor), origin);
}

function scaleEdges({ x, y, width, height }: Bounds, scale: number): Bounds {
  const [left, scaledWidth] = scaleSide(x, width, scale);
  const [top, scaledHeight] = scaleSide(y, height, scale);
  return { x: left, y: top, width: scaledWidth, height: scaledHeight };
}

/** A length below one pixel becomes the pixel it starts in. */
function scaleSide(start: number, length: number, scale: number): readonly [start: number, length: number] {
  const [first, end] = [roundEdge(start * scale), roundEdge((start + length) * scale)];
  return first < end || length <= 0 ? [first, end - first] : [floor(start * scale), 1];
}

function roundEdge(value: number): number {
  return floor(value + 0.5);
}
