import type { XConnection } from "../connection.ts";
import { encodeRequest, pack } from "../wire.ts";

/** Requests of COMPOSITE 0.4, RENDER 0.11 and XFIXES 5. */
const composite = { queryVersion: 0, redirectSubwindows: 2, nameWindowPixmap: 6 };
const render = { queryVersion: 0, queryPictFormats: 1, createPicture: 4, freePicture: 7, composite: 8, fill: 26 };
const fixes = {
  queryVersion: 0,
  selectSelection: 2,
  createRegion: 5,
  regionFromWindow: 7,
  destroyRegion: 10,
  union: 13,
  intersect: 14,
  translate: 17,
  setPictureClip: 22,
};
export const pictOp = { src: 1, over: 3 };

/** The required extensions: without them drawings could not be kept out of pictures. */
export interface Extensions {
  readonly composite: number;
  readonly render: number;
  readonly fixes: number;
  readonly fixesEvent: number;
  readonly shape: number;
}

const found = new WeakMap<XConnection, Promise<Extensions | undefined>>();

/** Undefined if one is missing. Versions are negotiated once per connection. */
export function findExtensions(x: XConnection): Promise<Extensions | undefined> {
  const known = found.get(x) ?? openExtensions(x);
  found.set(x, known);
  return known;
}

async function openExtensions(x: XConnection): Promise<Extensions | undefined> {
  const [one, two, three, four, resource] = await Promise.all(
    ["Composite", "RENDER", "XFIXES", "SHAPE", "X-Resource"].map((name) => x.findExtension(name)),
  );
  if (!one || !two || !three || !four || !resource) return undefined;
  await Promise.all([
    x.request(encodeRequest(one.opcode, composite.queryVersion, [0, 4])),
    x.request(encodeRequest(two.opcode, render.queryVersion, [0, 11])),
    x.request(encodeRequest(three.opcode, fixes.queryVersion, [5, 0])),
  ]);
  const [opcodes, fixesEvent] = [{ composite: one.opcode, render: two.opcode, fixes: three.opcode }, three.firstEvent];
  return { ...opcodes, fixesEvent, shape: four.opcode };
}

/** Redirects every child of the root to its own pixmap, still shown by the server. */
export function redirectAll(use: Extensions, root: number): Buffer {
  const automatic = 0;
  return encodeRequest(use.composite, composite.redirectSubwindows, [root, automatic]);
}

export function nameWindowPixmap(use: Extensions, window: number, pixmap: number): Buffer {
  return encodeRequest(use.composite, composite.nameWindowPixmap, [window, pixmap]);
}

/** Selects events for a change of a selection's owner. */
export function selectSelection(use: Extensions, window: number, selection: number): Buffer {
  const everyChange = 7;
  return encodeRequest(use.fixes, fixes.selectSelection, [window, selection, everyChange]);
}

export function createRegion(use: Extensions, region: number): Buffer {
  return encodeRequest(use.fixes, fixes.createRegion, [region]);
}

/** A window's shape as a region. */
export function createWindowRegion(use: Extensions, region: number, window: number): Buffer {
  const bounding = 0;
  return encodeRequest(use.fixes, fixes.regionFromWindow, [region, window, bounding]);
}

export function destroyRegion(use: Extensions, region: number): Buffer {
  return encodeRequest(use.fixes, fixes.destroyRegion, [region]);
}

export function uniteRegions(use: Extensions, region: number, other: number): Buffer {
  return encodeRequest(use.fixes, fixes.union, [region, other, region]);
}

export function intersectRegions(use: Extensions, region: number, other: number): Buffer {
  return encodeRequest(use.fixes, fixes.intersect, [region, other, region]);
}

export function translateRegion(use: Extensions, region: number, dx: number, dy: number): Buffer {
  return encodeRequest(use.fixes, fixes.translate, [region, pack(dx, dy)]);
}

export function setPictureClip(use: Extensions, picture: number, region: number): Buffer {
  return encodeRequest(use.fixes, fixes.setPictureClip, [picture, region, 0]);
}

export function createPicture(use: Extensions, picture: number, drawable: number, format: number): Buffer {
  return encodeRequest(use.render, render.createPicture, [picture, drawable, format, 0]);
}

export function freePicture(use: Extensions, picture: number): Buffer {
  return encodeRequest(use.render, render.freePicture, [picture]);
}

interface Placement {
  readonly op: number;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Composites a whole picture onto another. */
export function compositePicture(use: Extensions, { op, from, to, x, y, width, height }: Placement): Buffer {
  const [size, place] = [pack(width, height), pack(x, y)];
  return encodeRequest(use.render, render.composite, [op, from, 0, to, 0, 0, place, size]);
}

/** Fills a picture with opaque black. */
export function fillBlack(use: Extensions, picture: number, width: number, height: number): Buffer {
  const [black, opaque] = [0, 0xffff_0000];
  return encodeRequest(use.render, render.fill, [pictOp.src, picture, black, opaque, 0, pack(width, height)]);
}

const formats = new WeakMap<XConnection, Promise<ReadonlyMap<number, number>>>();

/** RENDER's picture format of each visual. */
export function findFormats(x: XConnection, use: Extensions): Promise<ReadonlyMap<number, number>> {
  const known = formats.get(x) ?? x.request(encodeRequest(use.render, render.queryPictFormats, [])).then(parseFormats);
  formats.set(x, known);
  return known;
}

function parseFormats(reply: Buffer): ReadonlyMap<number, number> {
  const [formatBytes, screenBytes, depthBytes, visualBytes] = [28, 8, 8, 8];
  const byVisual = new Map<number, number>();
  let at = 32 + reply.readUInt32LE(8) * formatBytes;
  for (let screens = reply.readUInt32LE(12); screens > 0; screens -= 1) {
    let depths = reply.readUInt32LE(at);
    for (at += screenBytes; depths > 0; depths -= 1) {
      let visuals = reply.readUInt16LE(at + 2);
      for (at += depthBytes; visuals > 0; visuals -= 1, at += visualBytes) {
        byVisual.set(reply.readUInt32LE(at), reply.readUInt32LE(at + 4));
      }
    }
  }
  return byVisual;
}
