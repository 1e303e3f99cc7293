import { type Bounds, containsBounds, intersect } from "../../../../model/bounds.ts";
import type { Covered, Picture } from "../../../../model/frame.ts";
import { subtract } from "../../../../model/region.ts";
import { type XConnection, XError, XUnavailable } from "../connection.ts";
import type { ImageReader } from "../image.ts";
import type { TopLevel } from "../top-levels.ts";
import { inpaint } from "./inpaint.ts";
import { listShape, programOf, setSheetApart, shapeKind } from "./recognise.ts";
import {
  createPicture,
  createRegion,
  createWindowRegion,
  destroyRegion,
  type Extensions,
  fillBlack,
  findExtensions,
  findFormats,
  freePicture,
  intersectRegions,
  layPicture,
  nameWindowPixmap,
  pictOp,
  setPictureClip,
  translateRegion,
  uniteRegions,
} from "./render-wire.ts";
import { isUnchanged, type Placed, readStacking, type Stacking } from "./stacking.ts";
import {
  copyArea,
  createGc,
  createPixmap,
  createWindow,
  destroyWindow,
  emptyInput,
  freeGc,
  freePixmap,
  grabServer,
  lowerWindow,
  mapWindow,
  ungrabServer,
} from "./wire.ts";

const maxAttempts = 5;
/** So many windows are laid while nobody else gets at the server, and so many requests at once are sent whole. */
const maxLaid = 300;
const rootDepthOtherwise = 24;
/** The value of a background pixmap that shows the parent's own. */
const parentRelative = 1;

/** What is on the screen around a capture. */
interface ScreenLayout {
  readonly x: XConnection;
  readonly use: Extensions;
  readonly formats: ReadonlyMap<number, number>;
  readonly part: Bounds;
  readonly isComposited: boolean;
  readonly stacking: Stacking;
  /** Back to front. */
  readonly windows: readonly Placed[];
  readonly sheet: readonly Placed[];
  /** Around all places where the sheet has drawn and there is no window, if the root window's background is to be put there. */
  readonly bare: Bounds | undefined;
}

/**
 * A part of the screen without the sheet: the screen as it is, and in the places where the sheet has drawn, what the windows
 * under it show. Those keep it in memory of their own while there is a sheet. Nothing flickers, and shadows and whatever else
 * a compositor adds stay in the picture everywhere else.
 */
export async function captureWithout(
  x: XConnection,
  images: ImageReader,
  part: Bounds,
  isComposited: boolean,
): Promise<Pick<Picture, "pixels" | "covered">> {
  const use = await findExtensions(x);
  if (use === undefined) return { pixels: await images.read(x.root, part) };
  const formats = await findFormats(x, use);
  for (let attempt = 1; ; attempt += 1) {
    const stacking = await readStacking(x);
    const { others, shown } = await setSheetApart(x, stacking.mapped);
    const [drawable, sheet] = [placesOf(stacking, others.filter(isDrawn(x))), placesOf(stacking, shown)];
    const windows = drawable.filter(({ place }) => intersect(place, part) !== undefined);
    if (windows.length > maxLaid) throw new XUnavailable(`more than ${maxLaid} windows lie over each other`);
    const made = { pixmap: x.allotId(), gc: x.allotId() };
    const onRoot = isComposited ? [] : listBare(windows, part, await listDrawn(x, use, sheet));
    const scenery = { x, use, formats, part, isComposited, stacking, windows, sheet, bare: boundAll(onRoot) };
    const isLast = attempt === maxAttempts;
    try {
      const composed = await compose(scenery, made);
      if (composed?.isSure !== true && !isLast) continue;
      if (composed === undefined) throw new XUnavailable("what is drawn over the screen changes all the time");
      const { drawn, isSure } = composed;
      const bare = listBare(windows, part, drawn);
      // Drawn since it was looked where there is no window.
      const isMissed = bare.some((one) => scenery.bare === undefined || !containsBounds(scenery.bare, one));
      if (!isComposited && isMissed && !isLast) continue;
      const pixels = await images.read(made.pixmap, { ...part, x: 0, y: 0 });
      if (!isSure) return { pixels, ...blacken(pixels, part, drawn) };
      if (isMissed) inpaint(pixels, part, { drawn, windows: windows.map(({ place }) => place), bare });
      return { pixels };
    } finally {
      await x.orderAll([freePixmap(made.pixmap), freeGc(made.gc)]);
    }
  }
}

/** The canvas that a compositor paints on is the server's own, and is no window that anybody has drawn. */
function isDrawn(x: XConnection): (one: TopLevel) => boolean {
  return ({ id, attributes }) => !attributes.isInvisible && programOf(x, id) !== 0;
}

function placesOf({ mapped }: Stacking, some: readonly TopLevel[]): Placed[] {
  const wanted = new Set(some.map(({ id }) => id));
  return mapped.filter(({ id }) => wanted.has(id));
}

/**
 * Where the sheet had drawn, and whether all that lies under it is known: what is not could show what lies under that.
 * Undefined where a part of the sheet itself has gone meanwhile.
 */
async function compose(
  scenery: ScreenLayout,
  made: { readonly pixmap: number; readonly gc: number },
): Promise<{ readonly drawn: Bounds[]; readonly isSure: boolean } | undefined> {
  const { x, use, part, formats } = scenery;
  const [picture, drawn] = [x.allotId(), x.allotId()];
  const depth = x.server.visuals.get(x.server.rootVisual)?.depth ?? rootDepthOtherwise;
  // All in one go, and nobody else between: what is copied and what is left out belong to one moment. All of it is also sent
  // in one go, and nothing is waited for before the end: a process that is stopped at any time has sent all of it or nothing.
  const taking = x.orderAll([
    grabServer(),
    createPixmap(made.pixmap, x.root, depth, part),
    createGc(made.gc, made.pixmap),
    copyArea(x.root, made.pixmap, made.gc, part, 0, 0),
    createPicture(use, picture, made.pixmap, formats.get(x.server.rootVisual) ?? 0),
    createRegion(use, drawn),
    ...scenery.sheet.flatMap((window) => {
      const region = x.allotId();
      return [...encodeRegion(scenery, region, window), uniteRegions(use, drawn, region), destroyRegion(use, region)];
    }),
    setPictureClip(use, picture, drawn),
    fillBlack(use, picture, part.width, part.height),
  ]);
  const checking = isUnchanged(x, scenery.stacking);
  const drawing = listDrawn(x, use, scenery.sheet);
  const laying = x.orderAll([
    ...(scenery.bare === undefined ? [] : layGround(scenery, scenery.bare, picture)),
    ...scenery.windows.flatMap((window) => layWindow(scenery, window, picture, drawn)),
  ]);
  const ending = x.orderAll([freePicture(use, picture), destroyRegion(use, drawn), ungrabServer()]);
  const ended = await Promise.allSettled([taking, laying, checking, drawing, ending]);
  for (const one of ended) if (one.status === "rejected" && !(one.reason instanceof XError)) throw one.reason;
  const [isTaken, isLaid] = ended.map(({ status }) => status === "fulfilled");
  if (isTaken !== true) return undefined;
  return { drawn: await drawing, isSure: isLaid === true && (await checking) };
}

/** What is not known to be free of secrets is not shown: told of is the smallest place around all of it. */
function blacken(pixels: Uint8Array, part: Bounds, drawn: readonly Bounds[]): { readonly covered: Covered[] } {
  const seen = drawn.flatMap((one) => intersect(one, part) ?? []);
  for (const { x, y, width, height } of seen) {
    for (let row = y - part.y; row < y - part.y + height; row += 1) {
      const start = (row * part.width + x - part.x) * 4;
      pixels.fill(0, start, start + width * 4);
    }
  }
  const bounds = boundAll(seen);
  return { covered: bounds === undefined ? [] : [{ what: "unread", bounds, app: "" }] };
}

/** A window's region, in the coordinates of the picture. */
function encodeRegion({ use, part }: ScreenLayout, region: number, { id, place }: Placed): Buffer[] {
  const [dx, dy] = [place.x + place.border - part.x, place.y + place.border - part.y];
  return [createWindowRegion(use, region, id), translateRegion(use, region, dx, dy)];
}

/** Lays what a window shows on the places where the sheet has drawn. */
function layWindow(scenery: ScreenLayout, window: Placed, picture: number, drawn: number): Buffer[] {
  const { x, use, formats, part, isComposited } = scenery;
  const { id, place, attributes } = window;
  const format = formats.get(attributes.visual);
  const [pixmap, source, region] = [x.allotId(), x.allotId(), x.allotId()];
  const clip = [
    ...encodeRegion(scenery, region, window),
    intersectRegions(use, region, drawn),
    setPictureClip(use, picture, region),
  ];
  // Of pixels of an unknown kind nothing is seen, and nothing of what they hide.
  if (format === undefined) {
    return [...clip, fillBlack(use, picture, part.width, part.height), destroyRegion(use, region)];
  }
  const hasAlpha = isComposited && x.server.visuals.get(attributes.visual)?.depth === 32;
  const { width, height } = place;
  const [left, top] = [place.x - part.x, place.y - part.y];
  const op = hasAlpha ? pictOp.over : pictOp.src;
  return [
    ...clip,
    nameWindowPixmap(use, id, pixmap),
    createPicture(use, source, pixmap, format),
    layPicture(use, { op, from: source, to: picture, x: left, y: top, width, height }),
    freePicture(use, source),
    freePixmap(pixmap),
    destroyRegion(use, region),
  ];
}

/**
 * What the root window shows where there is no window, which no request asks for: a window with its parent's background is
 * there for a moment, below all others, and is gone before anybody gets to look.
 */
function layGround({ x, use, formats, part }: ScreenLayout, bare: Bounds, picture: number): Buffer[] {
  const [window, pixmap, source] = [x.allotId(), x.allotId(), x.allotId()];
  const { rootVisual, visuals } = x.server;
  const depth = visuals.get(rootVisual)?.depth ?? rootDepthOtherwise;
  const place = { ...bare, x: bare.x - part.x, y: bare.y - part.y };
  return [
    createWindow(window, x.root, bare, 0, { depth, visual: rootVisual, colormap: 0, pixmap: parentRelative }),
    emptyInput(use.shape, window),
    lowerWindow(window),
    mapWindow(window),
    nameWindowPixmap(use, window, pixmap),
    createPicture(use, source, pixmap, formats.get(rootVisual) ?? 0),
    layPicture(use, { op: pictOp.src, from: source, to: picture, ...place }),
    freePicture(use, source),
    freePixmap(pixmap),
    destroyWindow(window),
  ];
}

/** Where the sheet has drawn, on the screen. The question is sent before this returns. */
async function listDrawn(x: XConnection, use: Extensions, sheet: readonly Placed[]): Promise<Bounds[]> {
  const shapes = await Promise.all(sheet.map(({ id }) => listShape(x, use.shape, id, shapeKind.bounding)));
  return shapes.flatMap((places, index) => {
    const place = sheet[index]?.place ?? { x: 0, y: 0 };
    return places.map((one) => ({ ...one, x: one.x + place.x, y: one.y + place.y }));
  });
}

/** What of it lies where there is no window. */
function listBare(windows: readonly Placed[], part: Bounds, drawn: readonly Bounds[]): Bounds[] {
  const covers = windows.map(({ place }) => place);
  return drawn.flatMap((one) => {
    const seen = intersect(one, part);
    return seen === undefined ? [] : subtract(seen, covers);
  });
}

function boundAll(places: readonly Bounds[]): Bounds | undefined {
  const [first, ...others] = places;
  return first && others.reduce(spanBoth, first);
}

function spanBoth(a: Bounds, b: Bounds): Bounds {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const [right, bottom] = [Math.max(a.x + a.width, b.x + b.width), Math.max(a.y + a.height, b.y + b.height)];
  return { x, y, width: right - x, height: bottom - y };
}
