import type * as Library from "@napi-rs/canvas";
import { type Bounds, intersect, type Point, type Size } from "../../../../model/bounds.ts";
import type { Colour, Drawing, Stroke } from "../../../../model/drawing.ts";
import { isNearBox, measurePath } from "../../../../model/path-data.ts";
import { cleanText } from "../../../../model/plain-text.ts";
import type { Image } from "./spans.ts";

type Canvas = typeof Library;
type Context = ReturnType<ReturnType<Canvas["createCanvas"]>["getContext"]>;
type Line = Extract<Drawing, { readonly kind: "line" }>;
type Shape = Extract<Drawing, { readonly kind: "shape" }>;

export const maxTagLength = 110;
const fontPx = 12;
const font = `bold ${fontPx}px "DejaVu Sans", "Noto Sans", sans-serif`;
const tagPadPx = 4;
const tagHeightPx = fontPx + 5;
const tagImageWidthPx = 1024;
/** With blending, text below a filled shape stays readable. */
const fillAlpha = 0.25;

const strokeWidths: Readonly<Record<Stroke, number>> = { thin: 2, thick: 4, dashed: 2 };
const dashPx = { on: 6, off: 4 };

export interface Tag {
  /** Sanitised and truncated. */
  readonly text: string;
  readonly colour: Colour;
  readonly width: number;
  readonly height: number;
}

export interface TagImage {
  readonly image: Image;
  readonly places: readonly Bounds[];
}

/** Draws what the X server cannot draw itself. */
export class Renderer {
  private readonly widths = new Map<string, number>();
  private readonly ruler: Context;

  private constructor(private readonly canvas: Canvas) {
    this.ruler = canvas.createCanvas(1, 1).getContext("2d");
    this.ruler.font = font;
  }

  /** Loaded lazily: the library takes 200 ms. */
  static async load(): Promise<Renderer> {
    return new Renderer(await import("@napi-rs/canvas"));
  }

  measure(text: string): Size {
    const clean = cleanText(text, maxTagLength);
    const known = this.widths.get(clean);
    if (known !== undefined) return { width: known, height: tagHeightPx };
    const width = Math.max(1, Math.ceil(this.ruler.measureText(clean).width)) + 2 * tagPadPx;
    if (this.widths.size < maxWidths) this.widths.set(clean, width);
    return { width, height: tagHeightPx };
  }

  /** One image for all: a canvas for each costs more than the drawing. */
  drawTags(tags: readonly Tag[]): TagImage {
    const places = arrange(tags);
    const width = Math.max(1, ...places.map((place) => place.x + place.width));
    const height = Math.max(1, ...places.map((place) => place.y + place.height));
    const canvas = this.canvas.createCanvas(width, height);
    const context = canvas.getContext("2d");
    context.font = font;
    context.textBaseline = "middle";
    tags.forEach(({ text, colour }, index) => {
      const place = places[index] ?? { x: 0, y: 0, width: 0, height: 0 };
      context.save();
      context.beginPath();
      context.rect(place.x, place.y, place.width, place.height);
      context.clip();
      context.fillStyle = colour;
      context.fill();
      context.fillStyle = isBright(colour) ? "#000000" : "#ffffff";
      // Right-to-left text starts at the left edge too: what does not fit is clipped at the right.
      context.fillText(text, place.x + tagPadPx, place.y + place.height / 2 + 1);
      context.restore();
    });
    return { image: { place: { x: 0, y: 0, width, height }, pixels: swapColours(canvas.data()) }, places };
  }

  /** Undefined if no part is on the screen or the path is invalid. */
  drawLine(line: Line, screen: Bounds): Image | undefined {
    if (line.points.length < 2) return undefined;
    const pen = strokeWidths[line.stroke];
    const head = 6 + 2 * pen;
    const points = line.points.slice(0, maxLinePoints).map(keepNear);
    return this.drawOn(boundAll(points, head + pen), screen, (context) => {
      const { arrows } = line;
      const [isStart, isEnd] = [arrows === "start" || arrows === "both", arrows === "end" || arrows === "both"];
      setPen(context, line.colour, line.stroke, measureLine(points));
      context.lineJoin = "round";
      const ends = [...points];
      // A line that ends in the tip of its arrow would be visible on both sides.
      if (isEnd) ends[ends.length - 1] = shortenEnd(points.at(-2), points.at(-1), head / 2);
      if (isStart) ends[0] = shortenEnd(points[1], points[0], head / 2);
      context.beginPath();
      for (const { x, y } of ends) context.lineTo(x, y);
      context.stroke();
      context.fillStyle = line.colour;
      if (isEnd) fillHead(context, points.at(-2), points.at(-1), head);
      if (isStart) fillHead(context, points[1], points[0], head);
    });
  }

  drawShape(shape: Shape, screen: Bounds, canBlend: boolean): Image | undefined {
    const { bounds, size, path } = shape;
    const lengthPx = measureShape(shape);
    if (lengthPx === undefined) return undefined;
    const pen = strokeWidths[shape.stroke];
    const room = {
      x: bounds.x - pen,
      y: bounds.y - pen,
      width: bounds.width + 2 * pen,
      height: bounds.height + 2 * pen,
    };
    return this.drawOn(room, screen, (context) => {
      const { Path2D, DOMMatrix } = this.canvas;
      const matrix = new DOMMatrix([bounds.width / size.width, 0, 0, bounds.height / size.height, bounds.x, bounds.y]);
      const placed = new Path2D();
      placed.addPath(new Path2D(path), matrix);
      setPen(context, shape.colour, shape.stroke, lengthPx);
      if (shape.isFilled && canBlend) {
        context.globalAlpha = fillAlpha;
        context.fillStyle = shape.colour;
        context.fill(placed);
        context.globalAlpha = 1;
      }
      context.stroke(placed);
    });
  }

  private drawOn(wanted: Bounds, screen: Bounds, draw: (context: Context) => void): Image | undefined {
    const place = intersect(roundOut(wanted), screen);
    if (place === undefined) return undefined;
    const canvas = this.canvas.createCanvas(place.width, place.height);
    const context = canvas.getContext("2d");
    context.translate(-place.x, -place.y);
    draw(context);
    return { place, pixels: swapColours(canvas.data()) };
  }
}

const maxWidths = 5000;
/** Larger than any screen. */
const farthestPx = 32_767;

/** Longer ones take more than a few milliseconds. */
const [maxShapePx, maxDashedPx] = [50_000, 15_000];
const maxLinePoints = 1000;

/** An upper bound of a path's length; undefined if it is invalid or goes too far. */
function measureShape({ bounds, size, path }: Shape): number | undefined {
  const extent = size.width > 0 && size.height > 0 ? measurePath(path) : "it has no size";
  if (typeof extent === "string" || !isNearBox(extent, size)) return undefined;
  const isOnEarth = Object.values(bounds).every((value) => Math.abs(value) <= farthestPx);
  const lengthPx = extent.length * Math.max(bounds.width / size.width, bounds.height / size.height);
  return isOnEarth && lengthPx <= maxShapePx ? lengthPx : undefined;
}

function measureLine(points: readonly Point[]): number {
  return points.reduce((length, { x, y }, index) => {
    const before = points[index - 1] ?? { x, y };
    return length + Math.hypot(x - before.x, y - before.y);
  }, 0);
}

/** Side by side, in rows. */
function arrange(tags: readonly Tag[]): Bounds[] {
  let [x, y, rowHeight] = [0, 0, 0];
  return tags.map(({ width, height }) => {
    if (x > 0 && x + width > tagImageWidthPx) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const place = { x, y, width, height };
    x += width;
    rowHeight = Math.max(rowHeight, height);
    return place;
  });
}

/** Very long lines are drawn solid: the number of dashes grows with the length. */
function setPen(context: Context, colour: Colour, stroke: Stroke, lengthPx: number): void {
  context.strokeStyle = colour;
  context.lineWidth = strokeWidths[stroke];
  context.setLineDash(stroke === "dashed" && lengthPx <= maxDashedPx ? [dashPx.on, dashPx.off] : []);
}

function fillHead(context: Context, from: Point | undefined, tip: Point | undefined, size: number): void {
  if (from === undefined || tip === undefined) return;
  const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
  context.beginPath();
  context.moveTo(tip.x, tip.y);
  for (const side of [-0.42, 0.42]) {
    context.lineTo(tip.x - size * Math.cos(angle + side), tip.y - size * Math.sin(angle + side));
  }
  context.closePath();
  context.fill();
}

function shortenEnd(from: Point | undefined, tip: Point | undefined, by: number): Point {
  if (from === undefined || tip === undefined) return tip ?? from ?? { x: 0, y: 0 };
  const length = Math.hypot(tip.x - from.x, tip.y - from.y);
  const part = length === 0 ? 0 : Math.min(1, by / length);
  return { x: tip.x + (from.x - tip.x) * part, y: tip.y + (from.y - tip.y) * part };
}

/** Limits the length, since dashes grow with it. */
function keepNear({ x, y }: Point): Point {
  return { x: Math.max(-farthestPx, Math.min(farthestPx, x)), y: Math.max(-farthestPx, Math.min(farthestPx, y)) };
}

function boundAll(points: readonly Point[], margin: number): Bounds {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x: left, y: top, width: Math.max(...xs) + margin - left, height: Math.max(...ys) + margin - top };
}

function roundOut({ x, y, width, height }: Bounds): Bounds {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return { x: left, y: top, width: Math.ceil(x + width) - left, height: Math.ceil(y + height) - top };
}

function isBright(colour: Colour): boolean {
  const value = Number.parseInt(colour.slice(1), 16);
  const [red, green, blue] = [(value >> 16) & 255, (value >> 8) & 255, value & 255];
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}

/** The library's pixels are RGBA, the display's BGRA; both are premultiplied. */
function swapColours(rgba: Uint8Array): Uint8Array {
  for (let at = 0; at < rgba.length; at += 4) {
    const red = rgba[at] ?? 0;
    rgba[at] = rgba[at + 2] ?? 0;
    rgba[at + 2] = red;
  }
  return rgba;
}

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
