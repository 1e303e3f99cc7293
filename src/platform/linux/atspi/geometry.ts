import type { Bounds } from "../../../model/bounds.ts";
import type { XWindow } from "../x11/windows.ts";
import type { Extents } from "./protocol.ts";
import type { Quirks } from "./quirks.ts";

/** Turns extents as a toolkit reports them into physical pixels of the screen. */
export type Projection = (extents: Extents) => Bounds;

/**
 * physical = X window origin + (accessible − accessible window origin) × scale, with one scale per window: the toolkit's
 * logical width against the X window's physical width. At scale 1 with screen extents this is the identity.
 */
export function projectOnto(window: XWindow, frame: Extents | undefined, quirks: Quirks): Projection {
  if (frame === undefined || frame[2] <= 0) return identity;
  const { content, shadow } = window;
  const visibleWidth = content.width - shadow.left - shadow.right;
  const scale = roundScale(visibleWidth / frame[2]);
  if (quirks.extentsFrom === "screen") {
    if (scale === 1) return identity;
    return project(frame[0], frame[1], content.x + shadow.left, content.y + shadow.top, scale);
  }
  // GTK 4 draws a border of its own inside the X window that its extents leave out and no property tells when there is
  // no compositor: the widths' difference is that border, half on each side.
  const border = Math.max(0, Math.round((visibleWidth - frame[2] * scale) / 2));
  return project(frame[0], frame[1], content.x + shadow.left + border, content.y + shadow.top + border, scale);
}

/**
 * GTK 4 measures what is inside a pop-up from the widget that opened it. The pop-up itself is a window of the display with
 * just its size: from there its content is measured right.
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

/** Scales come in quarters; what lies between is a frame or a border that one of the two counts. */
function roundScale(ratio: number): number {
  return Math.max(1, Math.round(ratio * 4) / 4);
}

/** The same, for what is shown that far from where its toolkit says. */
export function shiftProjection(project: Projection, byX: number, byY: number): Projection {
  return (extents) => {
    const bounds = project(extents);
    return { ...bounds, x: bounds.x + byX, y: bounds.y + byY };
  };
}
