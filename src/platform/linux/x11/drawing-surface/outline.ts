import type { Bounds } from "../../../../model/bounds.ts";
import type { Stroke } from "../../../../model/drawing.ts";

export const strokeWidths: Readonly<Record<Stroke, number>> = { thin: 2, thick: 4, dashed: 2 };
export const dashPx = { on: 6, off: 4 };

/** The outline of a box as rectangles inside the box. */
export function outlineBox(bounds: Bounds, stroke: Stroke): Bounds[] {
  const { x, y, width, height } = bounds;
  const pen = strokeWidths[stroke];
  if (width <= 2 * pen || height <= 2 * pen) return [bounds];
  const inner = height - 2 * pen;
  const sides = [
    { x, y, width, height: pen },
    { x, y: y + height - pen, width, height: pen },
    { x, y: y + pen, width: pen, height: inner },
    { x: x + width - pen, y: y + pen, width: pen, height: inner },
  ];
  return stroke === "dashed" ? sides.flatMap(dash) : sides;
}

function dash(side: Bounds): Bounds[] {
  const isAcross = side.width > side.height;
  const length = isAcross ? side.width : side.height;
  const dashes: Bounds[] = [];
  for (let at = 0; at < length; at += dashPx.on + dashPx.off) {
    const size = Math.min(dashPx.on, length - at);
    dashes.push(isAcross ? { ...side, x: side.x + at, width: size } : { ...side, y: side.y + at, height: size });
  }
  return dashes;
}
