import { type Bounds, intersect } from "../../../../model/bounds.ts";
import { subtract } from "../../../../model/region.ts";
import { type XConnection, XError, XUnavailable } from "../connection.ts";
import type { ImageReader } from "../image.ts";
import { getOuterGeometry } from "../requests.ts";
import { listMapped, type TopLevel } from "../top-levels.ts";
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

const maxAttempts = 3;
const rootDepthOtherwise = 24;
/** The value of a background pixmap that shows the parent's own. */
const parentRelative = 1;

interface Placed extends TopLevel {
  readonly place: Bounds & { readonly border: number };
}

/** What is on the screen around a capture. */
interface Scenery {
  readonly x: XConnection;
  readonly use: Extensions;
  readonly formats: ReadonlyMap<number, number>;
  readonly part: Bounds;
  readonly isComposited: boolean;
  /** Back to front. */
  readonly windows: readonly Placed[];
  readonly sheet: readonly Placed[];
  /** Whether the sheet has drawn where there is no window. */
  readonly isOnRoot: boolean;
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
): Promise<Uint8Array> {
  const use = await findExtensions(x);
  if (use === undefined) return images.read(x.root, part);
  const formats = await findFormats(x, use);
  for (let attempt = 1; ; attempt += 1) {
    const { others, shown } = await setSheetApart(x, await listMapped(x));
    const [windows, sheet] = await Promise.all([placeAll(x, others.filter(isDrawn(x))), placeAll(x, shown)]);
    const made = { pixmap: x.allotId(), gc: x.allotId() };
    const isOnRoot = !isComposited && listBare(windows, part, await listDrawn(x, use, sheet)).length > 0;
    const scenery = { x, use, formats, part, isComposited, windows, sheet, isOnRoot };
    const drawn = await compose(scenery, made, attempt === maxAttempts);
    try {
      if (drawn === undefined) continue;
      const pixels = await images.read(made.pixmap, { ...part, x: 0, y: 0 });
      const bare = isComposited ? listBare(windows, part, drawn) : [];
      inpaint(pixels, part, { drawn, windows: windows.map(({ place }) => place), bare });
      return pixels;
    } finally {
      await x.orderAll([freePixmap(made.pixmap), freeGc(made.gc)]);
    }
  }
}

/** The canvas that a compositor paints on is the server's own, and is no window that anybody has drawn. */
function isDrawn(x: XConnection): (one: TopLevel) => boolean {
  return ({ id, attributes }) => !attributes.isInvisible && programOf(x, id) !== 0;
}

async function placeAll(x: XConnection, windows: readonly TopLevel[]): Promise<Placed[]> {
  const places = await Promise.all(windows.map(({ id }) => getOuterGeometry(x, id)));
  return windows.flatMap((window, index) => {
    const place = places[index];
    return place === undefined ? [] : [{ ...window, place }];
  });
}

/** Where the sheet had drawn; undefined where windows have gone meanwhile, but the last attempt takes what there is. */
async function compose(
  scenery: Scenery,
  made: { readonly pixmap: number; readonly gc: number },
  isLast: boolean,
): Promise<Bounds[] | undefined> {
  const { x, use, part, formats } = scenery;
  const [picture, drawn] = [x.allotId(), x.allotId()];
  const depth = x.server.visuals.get(x.server.rootVisual)?.depth ?? rootDepthOtherwise;
  // All in one go, and nobody else between: what is copied and what is left out belong to one moment.
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
  const drawing = listDrawn(x, use, scenery.sheet);
  const laying = x.orderAll([
    ...(scenery.isOnRoot ? layGround(scenery, picture) : []),
    ...scenery.windows.flatMap((window) => layWindow(scenery, window, picture, drawn)),
  ]);
  const ending = x.orderAll([freePicture(use, picture), destroyRegion(use, drawn), ungrabServer()]);
  const [taken, laid] = await Promise.allSettled([taking, laying, ending]);
  for (const one of [taken, laid]) {
    if (one.status === "rejected" && !(one.reason instanceof XError)) throw one.reason;
  }
  if (taken.status === "rejected" && isLast)
    throw new XUnavailable("what is drawn over the screen changes all the time");
  const places = await drawing;
  return taken.status === "fulfilled" && (laid.status === "fulfilled" || isLast) ? places : undefined;
}

/** A window's region, in the coordinates of the picture. */
function encodeRegion({ use, part }: Scenery, region: number, { id, place }: Placed): Buffer[] {
  const [dx, dy] = [place.x + place.border - part.x, place.y + place.border - part.y];
  return [createWindowRegion(use, region, id), translateRegion(use, region, dx, dy)];
}

/** Lays what a window shows on the places where the sheet has drawn. */
function layWindow(scenery: Scenery, window: Placed, picture: number, drawn: number): Buffer[] {
  const { x, use, formats, part, isComposited } = scenery;
  const { id, place, attributes } = window;
  const format = formats.get(attributes.visual);
  if (format === undefined || intersect(place, part) === undefined) return [];
  const [pixmap, source, region] = [x.allotId(), x.allotId(), x.allotId()];
  const hasAlpha = isComposited && x.server.visuals.get(attributes.visual)?.depth === 32;
  const { width, height } = place;
  const [left, top] = [place.x - part.x, place.y - part.y];
  const op = hasAlpha ? pictOp.over : pictOp.src;
  return [
    ...encodeRegion(scenery, region, window),
    intersectRegions(use, region, drawn),
    setPictureClip(use, picture, region),
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
function layGround({ x, use, formats, part }: Scenery, picture: number): Buffer[] {
  const [window, pixmap, source] = [x.allotId(), x.allotId(), x.allotId()];
  const { rootVisual, visuals } = x.server;
  const depth = visuals.get(rootVisual)?.depth ?? rootDepthOtherwise;
  const { width, height } = part;
  return [
    createWindow(window, x.root, part, 0, { depth, visual: rootVisual, colormap: 0, pixmap: parentRelative }),
    emptyInput(use.shape, window),
    lowerWindow(window),
    mapWindow(window),
    nameWindowPixmap(use, window, pixmap),
    createPicture(use, source, pixmap, formats.get(rootVisual) ?? 0),
    layPicture(use, { op: pictOp.src, from: source, to: picture, x: 0, y: 0, width, height }),
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
