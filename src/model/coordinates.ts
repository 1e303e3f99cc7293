import { type Bounds, containsPoint, type Point } from "./bounds.ts";

/**
 * The one place where coordinates are converted. Inside Deskmap there is one space, physical pixels of the screen; every
 * other one begins at an origin in it and has a scale.
 *
 * Whole numbers name pixels: pixel 3 is the square from 3 to 4, and its middle is 3.5. A pixel of one space becomes the
 * pixel of the other whose area contains its middle. So frame → screen → frame is exact at scales up to 1, screen → frame →
 * screen at scales from 1, and the other way it ends less than 1 / scale away, which is one pixel of the coarser space.
 *
 * Pages and overlays measure in fractions of their own pixels: a place on the screen becomes its exact place there, and a
 * place there becomes the pixel of the screen that contains it. Screen → page → screen is exact at every scale.
 *
 * The edges of bounds are lines between pixels and are moved as such, each to the nearest line.
 */

/** A picture of a part of the screen: `scale` of its pixels stand for one of the screen. */
export interface FramePlace {
  readonly origin: Point;
  readonly scale: number;
}

/** A page, or an overlay on one monitor: one of its pixels is `scaleFactor` pixels of the screen wide. */
export interface PagePlace {
  readonly origin: Point;
  readonly scaleFactor: number;
}

/** A monitor where every monitor has a scale of its own, and a place in a layout that is not measured in physical pixels. */
export interface ScaledMonitor {
  /** In physical pixels of the screen. */
  readonly bounds: Bounds;
  readonly scaleFactor: number;
  /** Its upper left corner in the layout. */
  readonly layoutOrigin: Point;
}

/** Errors of floating point must not push a place over the edge of its pixel: 0.7 × 10 is a little less than 7. */
const tolerance = 1e-6;

function floor(value: number): number {
  return Math.floor(value + tolerance);
}

/** From the upper left corner of a window or of a monitor, for points and bounds alike; nothing is scaled. */
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

/** What has a size on the screen has one in the frame, too: at least one pixel. */
export function screenBoundsToFrame(bounds: Bounds, { origin, scale }: FramePlace): Bounds {
  return scaleEdges(toLocal(bounds, origin), scale);
}

export function frameBoundsToScreen(bounds: Bounds, { origin, scale }: FramePlace): Bounds {
  return fromLocal(scaleEdges(bounds, 1 / scale), origin);
}

/** The middle of a pixel of the screen, in the fractions of the page. */
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

/** A pixel of the screen in the layout of all monitors; undefined where no monitor shows it. */
export function screenToLayout(point: Point, monitors: readonly ScaledMonitor[]): Point | undefined {
  const monitor = monitors.find(({ bounds }) => containsPoint(bounds, point));
  return monitor && fromLocal(screenToPage(point, pageOf(monitor)), monitor.layoutOrigin);
}

export function layoutToScreen(point: Point, monitors: readonly ScaledMonitor[]): Point | undefined {
  const monitor = monitors.find((one) => containsPoint(layoutBoundsOf(one), point));
  return monitor && pageToScreen(toLocal(point, monitor.layoutOrigin), pageOf(monitor));
}

export function layoutBoundsOf({ bounds, scaleFactor, layoutOrigin }: ScaledMonitor): Bounds {
  return { ...layoutOrigin, width: bounds.width / scaleFactor, height: bounds.height / scaleFactor };
}

function pageOf({ bounds, scaleFactor }: ScaledMonitor): PagePlace {
  return { origin: bounds, scaleFactor };
}

function scaleEdges({ x, y, width, height }: Bounds, scale: number): Bounds {
  const [left, scaledWidth] = scaleSide(x, width, scale);
  const [top, scaledHeight] = scaleSide(y, height, scale);
  return { x: left, y: top, width: scaledWidth, height: scaledHeight };
}

/** What is narrower than a pixel is the pixel that it begins in. */
function scaleSide(start: number, length: number, scale: number): readonly [start: number, length: number] {
  const [first, end] = [roundEdge(start * scale), roundEdge((start + length) * scale)];
  return first < end || length <= 0 ? [first, end - first] : [floor(start * scale), 1];
}

function roundEdge(value: number): number {
  return floor(value + 0.5);
}
