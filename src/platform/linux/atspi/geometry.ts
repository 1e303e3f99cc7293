import { type Bounds, containsPoint } from "../../../model/bounds.ts";
import { growBy, shrinkBy, type XWindow } from "../x11/windows.ts";
import type { Extents } from "./peer.ts";
import type { Quirks } from "./quirks.ts";

/** Converts a toolkit's extents to physical screen pixels. */
export interface Projection {
  (extents: Extents): Bounds;
  /** For the content of a page, if the toolkit uses other units there. */
  readonly inPage?: Projection;
}

/**
 * physical = window origin + (accessible − accessible window origin) × scale. With one scale and one pair of origins
 * per window it does not matter how a toolkit scales the screen around it or which origins it gives to monitors.
 */
export function projectOnto(
  window: XWindow,
  frame: Extents | undefined,
  quirks: Quirks,
  monitors: readonly Bounds[] = [],
): Projection {
  if (frame === undefined || frame[2] <= 0 || frame[3] <= 0) return identity;
  if (quirks.extentsFrom === "window") return projectBehindBorder(window, frame);
  const { scale, reference } = findScale(window, frame, quirks);
  if (scale === 1) return identity;
  const onWindow = project(frame[0], frame[1], reference.x, reference.y, scale);
  if (quirks.scalesEachMonitor && monitors.length > 1) return projectByMonitor(onWindow, monitors, scale);
  if (!quirks.pagesInPixels) return onWindow;
  // Page pixels start where the window would if its position were a whole number of toolkit units.
  const toX = reference.x - Math.round(frame[0] * scale);
  const toY = reference.y - Math.round(frame[1] * scale);
  return Object.assign(onWindow, { inPage: project(0, 0, toX, toY, 1) });
}

/**
 * Qt keeps every monitor's origin and scales what is on it towards that origin, even inside a window. What is on no
 * monitor is measured from the window. Monitors of different scales are treated as one.
 */
function projectByMonitor(onWindow: Projection, monitors: readonly Bounds[], scale: number): Projection {
  return (extents) => {
    const [x, y] = extents;
    const monitor = monitors.find((one) => {
      return containsPoint({ ...one, width: one.width / scale, height: one.height / scale }, { x, y });
    });
    return monitor === undefined
      ? onWindow(extents)
      : project(monitor.x, monitor.y, monitor.x, monitor.y, scale)(extents);
  };
}

/**
 * Without a compositor GTK 4 draws a border inside the X window that its extents exclude and no property reports: half
 * of the difference in width on each side.
 */
function projectBehindBorder({ content, shadow }: XWindow, frame: Extents): Projection {
  const visibleWidth = content.width - shadow.left - shadow.right;
  const scale = Math.max(1, Math.round(visibleWidth / frame[2]));
  const border = Math.max(0, Math.round((visibleWidth - frame[2] * scale) / 2));
  return project(frame[0], frame[1], content.x + shadow.left + border, content.y + shadow.top + border, scale);
}

interface Fit {
  readonly scale: number;
  /** What the toolkit considers its window, in physical pixels. */
  readonly reference: Bounds;
}

/**
 * Pixels per toolkit unit. Toolkits define a window differently: with the window manager's frame (GTK 3), without it
 * (Qt, Firefox), with their own shadow (Chromium) or without. The matching one has the same aspect ratio.
 */
export function findScale(window: XWindow, frame: Extents, quirks: Quirks): Fit {
  const { bounds, content, shadow } = window;
  const fits = [content, growBy(bounds, shadow), shrinkBy(content, shadow)].map((reference) => {
    const ratios = [reference.width / frame[2], reference.height / frame[3]] as const;
    // Each side may be rounded by one toolkit unit and one pixel.
    const allowed = (ratios[0] + 1) / frame[2] + (ratios[1] + 1) / frame[3];
    const isAlike = Math.abs(ratios[0] - ratios[1]) <= allowed;
    return { reference, ratios, isAlike, difference: Math.abs(ratios[0] - ratios[1]) };
  });
  const [best] = fits.sort((a, b) => a.difference - b.difference);
  if (best === undefined) return { scale: 1, reference: content };
  const { ratios, isAlike, reference } = best;
  const ratio = frame[2] > frame[3] ? ratios[0] : ratios[1];
  if (quirks.hasWholeScales) return { scale: Math.max(1, Math.round(ratio)), reference };
  // With no matching aspect ratio the frame includes something else: then only a clear difference is a scale.
  const scale = isAlike ? snapScale(ratio, frame) : Math.max(1, Math.round((content.width / frame[2]) * 2) / 2);
  return { scale, reference: isAlike ? reference : content };
}

/** Quarters, as people set them, if the sizes allow it: a scale measured from a small window is inexact. */
function snapScale(ratio: number, frame: Extents): number {
  const quarter = Math.round(ratio * 4) / 4;
  const length = Math.max(frame[2], frame[3]);
  if (Math.abs(ratio - quarter) * length <= quarter + 1) return quarter;
  return Math.abs(ratio - 1) < smallestScaling ? 1 : ratio;
}

/** Ratios nearer to 1 are caused by a frame or border. */
const smallestScaling = 0.06;

/**
 * GTK 4 measures the content of a pop-up from the widget that opened it. The pop-up itself is an X window of exactly
 * that size, which gives the right origin.
 */
export function projectOntoPopup(
  extents: Extents,
  project: Projection,
  popups: readonly Bounds[],
): Projection | undefined {
  const { x, y, width, height } = project(extents);
  const popup = popups.find((one) => one.width === width && one.height === height);
  if (popup === undefined) return undefined;
  return (inner) => {
    const bounds = project(inner);
    return { ...bounds, x: bounds.x - x + popup.x, y: bounds.y - y + popup.y };
  };
}

function identity([x, y, width, height]: Extents): Bounds {
  return { x, y, width, height };
}

function project(fromX: number, fromY: number, toX: number, toY: number, scale: number): Projection {
  return ([x, y, width, height]) => ({
    x: Math.round(toX + (x - fromX) * scale),
    y: Math.round(toY + (y - fromY) * scale),
    width: Math.round(width * scale),
    height: Math.round(height * scale),
  });
}

export function shiftProjection(project: Projection, byX: number, byY: number): Projection {
  return (extents) => {
    const bounds = project(extents);
    return { ...bounds, x: bounds.x + byX, y: bounds.y + byY };
  };
}
