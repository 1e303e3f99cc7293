import { type Bounds, intersect } from "../../../../model/bounds.ts";
import type { Colour, Drawing } from "../../../../model/drawing.ts";
import { cleanText } from "../../../../model/plain-text.ts";
import { grow } from "../../../../model/region.ts";
import { copyArea, createPixmap, fillRectangles, freePixmap, putImage, setForeground } from "../wire.ts";
import { maxTagLength, outlineBox, type Renderer, type Tag } from "./render.ts";
import { type Image, listSpans, listTiles } from "./spans.ts";

/** Where things are drawn before they are shown. */
export interface DrawTarget {
  readonly root: number;
  readonly gc: number;
  readonly pixmap: number;
  readonly depth: number;
  readonly screen: Bounds;
  allotId(): number;
}

/** A drawing as X requests. */
export interface Piece {
  readonly places: readonly Bounds[];
  /** The requests that draw it again. */
  readonly requests: readonly Buffer[];
  /** Its own pixmap, if it needs one. */
  readonly pixmap?: number;
}

const nearPx = 64;
const none: Piece = { places: [], requests: [] };
/** How many pixels of tags are cached before the cache is reset. */
const maxTagPixels = 2_000_000;

interface KeptTag {
  readonly pixmap: number;
  readonly place: Bounds;
}

/** Converts drawings to pieces. Tags are mostly recurring numbers and are cached in the server. */
export class PieceMaker {
  private readonly tags = new Map<string, KeptTag>();
  private tagPixmaps: number[] = [];
  private tagPixels = 0;

  constructor(
    private readonly renderer: Renderer,
    private readonly target: DrawTarget,
    /** Whether colours can be blended; otherwise a pixel is drawn or not. */
    private readonly canBlend: boolean,
  ) {}

  /** The pieces, and the requests to send before them. */
  make(drawings: readonly Drawing[]): { readonly before: Buffer[]; readonly pieces: Piece[] } {
    const before = this.keepTags(drawings.flatMap((one) => (one.kind === "tag" ? [toTag(one)] : [])));
    const pieces = drawings.map((drawing) => this.makeOne(drawing, before));
    return { before, pieces };
  }

  private makeOne(drawing: Drawing, before: Buffer[]): Piece {
    const { screen } = this.target;
    switch (drawing.kind) {
      case "box":
        return this.fill(this.outline(drawing), drawing.colour);
      case "tag":
        return this.place(toTag(drawing), roundBounds(drawing.bounds));
      case "line":
        return this.lay(this.renderer.drawLine(drawing, screen), drawing.colour, before);
      case "shape":
        return this.lay(this.renderer.drawShape(drawing, screen, this.canBlend), drawing.colour, before);
    }
  }

  /** Only the part of a box near the screen: a dashed line has pieces in proportion to its length. */
  private outline({ bounds, stroke }: Extract<Drawing, { readonly kind: "box" }>): Bounds[] {
    const near = intersect(roundBounds(bounds), grow(this.target.screen, nearPx));
    return near === undefined ? [] : outlineBox(near, stroke);
  }

  private fill(places: readonly Bounds[], colour: Colour): Piece {
    const { target } = this;
    const seen = places.flatMap((place) => intersect(place, target.screen) ?? []);
    if (seen.length === 0) return none;
    const requests = [setForeground(target.gc, toPixel(colour)), fillRectangles(target.pixmap, target.gc, seen)];
    return { places: seen, requests };
  }

  private place(tag: Tag, bounds: Bounds): Piece {
    const { target } = this;
    const [kept, seen] = [this.tags.get(keyOf(tag)), intersect(bounds, target.screen)];
    if (kept === undefined || seen === undefined) return none;
    const source = {
      ...seen,
      x: kept.place.x + seen.x - bounds.x,
      y: kept.place.y + seen.y - bounds.y,
    };
    return { places: [seen], requests: [copyArea(kept.pixmap, target.pixmap, target.gc, source, seen.x, seen.y)] };
  }

  /** An image: with blending its nonempty tiles; otherwise its pixels in one colour. */
  private lay(image: Image | undefined, colour: Colour, before: Buffer[]): Piece {
    if (image === undefined) return none;
    if (!this.canBlend) return this.fill(listSpans(image), colour);
    const { target } = this;
    const tiles = listTiles(image);
    if (tiles.length === 0) return none;
    const pixmap = target.allotId();
    const whole = { ...image.place, x: 0, y: 0 };
    before.push(
      createPixmap(pixmap, target.root, target.depth, whole),
      ...putImage(pixmap, target.gc, target.depth, whole, image.pixels),
    );
    const places = tiles.map((tile) => ({ ...tile, x: tile.x + image.place.x, y: tile.y + image.place.y }));
    const requests = tiles.map((tile, index) => {
      const { x, y } = places[index] ?? tile;
      return copyArea(pixmap, target.pixmap, target.gc, tile, x, y);
    });
    return { places, requests, pixmap };
  }

  /** Resets the cache if it is too large; returns the requests that free it. */
  forgetTags(): Buffer[] {
    if (this.tagPixels <= maxTagPixels) return [];
    const requests = this.tagPixmaps.map(freePixmap);
    this.tags.clear();
    this.tagPixmaps = [];
    this.tagPixels = 0;
    return requests;
  }

  private keepTags(wanted: readonly Tag[]): Buffer[] {
    const missing = [...new Map(wanted.map((tag) => [keyOf(tag), tag])).values()].filter(
      (tag) => !this.tags.has(keyOf(tag)),
    );
    if (missing.length === 0) return [];
    const { target } = this;
    const { image, places } = this.renderer.drawTags(missing);
    const pixmap = target.allotId();
    missing.forEach((tag, index) => {
      const place = places[index];
      if (place !== undefined) this.tags.set(keyOf(tag), { pixmap, place });
    });
    this.tagPixmaps.push(pixmap);
    this.tagPixels += image.place.width * image.place.height;
    return [
      createPixmap(pixmap, target.root, target.depth, image.place),
      ...putImage(pixmap, target.gc, target.depth, image.place, image.pixels),
    ];
  }
}

const maxTagPx = { width: 1200, height: 200 };

function toTag({ text, colour, bounds }: Extract<Drawing, { readonly kind: "tag" }>): Tag {
  const { width, height } = roundBounds(bounds);
  return {
    text: cleanText(text, maxTagLength),
    colour,
    width: Math.min(maxTagPx.width, Math.max(1, width)),
    height: Math.min(maxTagPx.height, Math.max(1, height)),
  };
}

function keyOf({ text, colour, width, height }: Tag): string {
  return `${width}x${height} ${colour} ${text}`;
}

function roundBounds({ x, y, width, height }: Bounds): Bounds {
  const [left, top] = [Math.round(x), Math.round(y)];
  return { x: left, y: top, width: Math.round(x + width) - left, height: Math.round(y + height) - top };
}

/** Opaque: without blending the upper byte is unused. */
function toPixel(colour: Colour): number {
  const value = Number.parseInt(colour.slice(1), 16);
  return (0xff000000 | (Number.isNaN(value) ? 0xff00ff : value & 0xffffff)) >>> 0;
}
