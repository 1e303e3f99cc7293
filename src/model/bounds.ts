/** A rectangle in physical pixels of the virtual desktop; origins may be negative. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Size = Pick<Bounds, "width" | "height">;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The only coordinate space used internally. Stored rectangles name it, so that no other space is mistaken for it. */
export const screenSpace = "screen-physical";
/** Stored positions outlive their window's position: physical pixels from the window's upper left corner. */
export const windowSpace = "window-physical";

export function containsPoint(bounds: Bounds, point: Point): boolean {
  return (
    point.x >= bounds.x &&
    point.y >= bounds.y &&
    point.x < bounds.x + bounds.width &&
    point.y < bounds.y + bounds.height
  );
}

export function intersect(a: Bounds, b: Bounds): Bounds | undefined {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

export function isSameBounds(a: Bounds | undefined, b: Bounds | undefined): boolean {
  return a?.x === b?.x && a?.y === b?.y && a?.width === b?.width && a?.height === b?.height;
}

export function areaOf({ width, height }: Size): number {
  return width * height;
}

/** Moves a rectangle into another that is larger. */
export function keepWithin({ x, y, width, height }: Bounds, room: Bounds): Bounds {
  return {
    x: Math.max(room.x, Math.min(x, room.x + room.width - width)),
    y: Math.max(room.y, Math.min(y, room.y + room.height - height)),
    width,
    height,
  };
}

export function centreOf(bounds: Bounds): Point {
  return { x: bounds.x + Math.floor(bounds.width / 2), y: bounds.y + Math.floor(bounds.height / 2) };
}

export function boundsAround({ x, y }: Point, { width, height }: Size): Bounds {
  return { x: x - Math.floor(width / 2), y: y - Math.floor(height / 2), width, height };
}

export function clickPointOf(bounds: Bounds, visible: Bounds): Point | undefined {
  const part = intersect(bounds, visible);
  return part === undefined ? undefined : centreOf(part);
}

/** Parses "x,y,width,height". */
export function parseBounds(text: string): Bounds | undefined {
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length !== 4 || parts.some((part) => !/^-?\d{1,6}$/.test(part))) return undefined;
  const [x = 0, y = 0, width = 0, height = 0] = parts.map(Number);
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

export function containsBounds(outer: Bounds, inner: Bounds): boolean {
  const shared = intersect(outer, inner);
  return shared !== undefined && shared.width === inner.width && shared.height === inner.height;
}
