import { type Bounds, containsBounds, intersect } from "../../../../model/bounds.ts";
import type { Covered, Picture } from "../../../../model/frame.ts";
import { subtract, unite } from "../../../../model/region.ts";
import { shapeKind, type XConnection } from "../connection.ts";
import type { ImageReader } from "../image.ts";
import { isUnchanged, type Placed, readStacking, type Stacking, type TopLevel } from "../top-levels.ts";
import { XError, XUnavailable } from "../transport.ts";
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
  mapWindow,
  restackWindow,
  ungrabServer,
} from "../wire.ts";
import { inpaint } from "./inpaint.ts";
import { separateOwnSurface } from "./recognise.ts";
import { Extensions, pictOp } from "./render-wire.ts";

const maxAttempts = 5;
/** Maximum number of windows to composite under a server grab; that many requests are sent in one write. */
const maxWindows = 300;
const rootDepthOtherwise = 24;
/** The background value ParentRelative. */
const parentRelative = 1;

interface CaptureContext {
  readonly x: XConnection;
  readonly use: Extensions;
  readonly formats: ReadonlyMap<number, number>;
  readonly part: Bounds;
  readonly isComposited: boolean;
  readonly stacking: Stacking;
  /** Back to front. */
  readonly windows: readonly Placed[];
  readonly surface: readonly Placed[];
  /** The bounding box of drawn places outside any window, if the root's background must be restored there. */
  readonly bare: Bounds | undefined;
}

/**
 * Captures part of the screen without our drawings: the screen as it is, and at drawn places the content of the windows
 * below, which have their own pixmaps while a surface exists. Nothing flickers, and a compositor's shadows stay
 * everywhere else.
 */
export async function captureWithoutSurface(
  x: XConnection,
  images: ImageReader,
  part: Bounds,
  isComposited: boolean,
): Promise<Pick<Picture, "pixels" | "covered">> {
  const use = await Extensions.find(x);
  if (use === undefined) return { pixels: await images.read(x.root, part) };
  const formats = await use.findFormats();
  for (let attempt = 1; ; attempt += 1) {
    const stacking = await readStacking(x);
    const { others, shown } = await separateOwnSurface(x, stacking.mapped);
    const [drawable, surface] = [placesOf(stacking, others.filter(isDrawn(x))), placesOf(stacking, shown)];
    const windows = drawable.filter(({ place }) => intersect(place, part) !== undefined);
    if (windows.length > maxWindows) throw new XUnavailable(`more than ${maxWindows} windows overlap`);
    const made = { pixmap: x.allotId(), gc: x.allotId() };
    const onRoot = isComposited ? [] : listBare(windows, part, await listDrawn(x, use, surface));
    const context = { x, use, formats, part, isComposited, stacking, windows, surface, bare: boundAll(onRoot) };
    const isLast = attempt === maxAttempts;
    try {
      const composed = await compose(context, made);
      if (composed?.isSure !== true && !isLast) continue;
      if (composed === undefined) throw new XUnavailable("the drawings keep changing");
      const { drawn, isSure } = composed;
      const bare = listBare(windows, part, drawn);
      // Drawn outside any window since it was checked.
      const isMissed = bare.some((one) => context.bare === undefined || !containsBounds(context.bare, one));
      if (!isComposited && isMissed && !isLast) continue;
      const pixels = await images.read(made.pixmap, { ...part, x: 0, y: 0 });
      if (!isSure) return { pixels, ...blacken(pixels, part, drawn) };
      if (isMissed) inpaint(pixels, part, { drawn, windows: windows.map(({ place }) => place), bare });
      return { pixels };
    } finally {
      await x.sendAll([freePixmap(made.pixmap), freeGc(made.gc)]);
    }
  }
}

/** The compositor's canvas belongs to the server and is no drawn window. */
function isDrawn(x: XConnection): (one: TopLevel) => boolean {
  return ({ id, attributes }) => !attributes.isInvisible && x.clientOf(id) !== 0;
}

function placesOf({ mapped }: Stacking, some: readonly TopLevel[]): Placed[] {
  const wanted = new Set(some.map(({ id }) => id));
  return mapped.filter(({ id }) => wanted.has(id));
}

/**
 * Where something was drawn, and whether everything below it is known: unknown content could reveal what is behind.
 * Undefined if part of the surface disappeared meanwhile.
 */
async function compose(
  context: CaptureContext,
  made: { readonly pixmap: number; readonly gc: number },
): Promise<{ readonly drawn: Bounds[]; readonly isSure: boolean } | undefined> {
  const { x, use, part, formats } = context;
  const [picture, drawn] = [x.allotId(), x.allotId()];
  const depth = x.server.visuals.get(x.server.rootVisual)?.depth ?? rootDepthOtherwise;
  // In one write under a server grab: the copy and the omitted parts belong to the same moment, and a process that is
  // stopped has sent either everything or nothing.
  const copying = x.sendAll([
    grabServer(),
    createPixmap(made.pixmap, x.root, depth, part),
    createGc(made.gc, made.pixmap),
    copyArea(x.root, made.pixmap, made.gc, part, 0, 0),
    use.createPicture(picture, made.pixmap, formats.get(x.server.rootVisual) ?? 0),
    use.createRegion(drawn),
    ...context.surface.flatMap((window) => {
      const region = x.allotId();
      return [...encodeRegion(context, region, window), use.uniteRegions(drawn, region), use.destroyRegion(region)];
    }),
    use.setPictureClip(picture, drawn),
    use.fillBlack(picture, part.width, part.height),
  ]);
  const checking = isUnchanged(x, context.stacking);
  const drawing = listDrawn(x, use, context.surface);
  const compositing = x.sendAll([
    ...(context.bare === undefined ? [] : compositeBackground(context, context.bare, picture)),
    ...context.windows.flatMap((window) => compositeWindow(context, window, picture, drawn)),
  ]);
  const ending = x.sendAll([use.freePicture(picture), use.destroyRegion(drawn), ungrabServer()]);
  const ended = await Promise.allSettled([copying, compositing, checking, drawing, ending]);
  for (const one of ended) if (one.status === "rejected" && !(one.reason instanceof XError)) throw one.reason;
  const [isCopied, isComposed] = ended.map(({ status }) => status === "fulfilled");
  if (isCopied !== true) return undefined;
  return { drawn: await drawing, isSure: isComposed === true && (await checking) };
}

/** Content that is not known to be free of secrets is blackened; its bounding box is reported. */
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

/** A window's region in picture coordinates. */
function encodeRegion({ use, part }: CaptureContext, region: number, { id, place }: Placed): Buffer[] {
  const [dx, dy] = [place.x + place.border - part.x, place.y + place.border - part.y];
  return [use.createWindowRegion(region, id), use.translateRegion(region, dx, dy)];
}

function compositeWindow(context: CaptureContext, window: Placed, picture: number, drawn: number): Buffer[] {
  const { x, use, formats, part, isComposited } = context;
  const { id, place, attributes } = window;
  const format = formats.get(attributes.visual);
  const [pixmap, source, region] = [x.allotId(), x.allotId(), x.allotId()];
  const clip = [
    ...encodeRegion(context, region, window),
    use.intersectRegions(region, drawn),
    use.setPictureClip(picture, region),
  ];
  // For an unknown pixel format, black.
  if (format === undefined) {
    return [...clip, use.fillBlack(picture, part.width, part.height), use.destroyRegion(region)];
  }
  const hasAlpha = isComposited && x.server.visuals.get(attributes.visual)?.depth === 32;
  const { width, height } = place;
  const [left, top] = [place.x - part.x, place.y - part.y];
  const op = hasAlpha ? pictOp.over : pictOp.src;
  return [
    ...clip,
    use.nameWindowPixmap(id, pixmap),
    use.createPicture(source, pixmap, format),
    use.compositePicture({ op, from: source, to: picture, x: left, y: top, width, height }),
    use.freePicture(source),
    freePixmap(pixmap),
    use.destroyRegion(region),
  ];
}

/**
 * The root's background, which no request returns: a ParentRelative window exists for a moment below all others, before
 * anyone sees it.
 */
function compositeBackground({ x, use, formats, part }: CaptureContext, bare: Bounds, picture: number): Buffer[] {
  const [window, pixmap, source] = [x.allotId(), x.allotId(), x.allotId()];
  const { rootVisual, visuals } = x.server;
  const depth = visuals.get(rootVisual)?.depth ?? rootDepthOtherwise;
  const place = { ...bare, x: bare.x - part.x, y: bare.y - part.y };
  return [
    createWindow(window, x.root, bare, 0, { depth, visual: rootVisual, colormap: 0, pixmap: parentRelative }),
    emptyInput(use.shape, window),
    restackWindow(window, "below"),
    mapWindow(window),
    use.nameWindowPixmap(window, pixmap),
    use.createPicture(source, pixmap, formats.get(rootVisual) ?? 0),
    use.compositePicture({ op: pictOp.src, from: source, to: picture, ...place }),
    use.freePicture(source),
    freePixmap(pixmap),
    destroyWindow(window),
  ];
}

/** The drawn places on the screen. The request is sent before this returns. */
async function listDrawn(x: XConnection, use: Extensions, surface: readonly Placed[]): Promise<Bounds[]> {
  const shapes = await Promise.all(surface.map(({ id }) => x.listShape(use.shape, id, shapeKind.bounding)));
  return shapes.flatMap((places, index) => {
    const place = surface[index]?.place ?? { x: 0, y: 0 };
    return places.map((one) => ({ ...one, x: one.x + place.x, y: one.y + place.y }));
  });
}

function listBare(windows: readonly Placed[], part: Bounds, drawn: readonly Bounds[]): Bounds[] {
  const covers = windows.map(({ place }) => place);
  return drawn.flatMap((one) => {
    const seen = intersect(one, part);
    return seen === undefined ? [] : subtract(seen, covers);
  });
}

function boundAll(places: readonly Bounds[]): Bounds | undefined {
  const [first, ...others] = places;
  return first && others.reduce(unite, first);
}
