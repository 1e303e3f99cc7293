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

interface Placement {
  readonly op: number;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const found = new WeakMap<XConnection, Promise<Extensions | undefined>>();

/** The required extensions: without them drawings could not be kept out of pictures. */
export class Extensions {
  private formats: Promise<ReadonlyMap<number, number>> | undefined;

  private constructor(
    private readonly x: XConnection,
    private readonly composite: number,
    private readonly render: number,
    private readonly fixes: number,
    readonly fixesEvent: number,
    readonly shape: number,
  ) {}

  /** Undefined if one is missing. Versions are negotiated once per connection. */
  static find(x: XConnection): Promise<Extensions | undefined> {
    const known = found.get(x) ?? Extensions.open(x);
    found.set(x, known);
    return known;
  }

  private static async open(x: XConnection): Promise<Extensions | undefined> {
    const [one, two, three, four, resource] = await Promise.all(
      ["Composite", "RENDER", "XFIXES", "SHAPE", "X-Resource"].map((name) => x.findExtension(name)),
    );
    if (!one || !two || !three || !four || !resource) return undefined;
    await Promise.all([
      x.request(encodeRequest(one.opcode, composite.queryVersion, [0, 4])),
      x.request(encodeRequest(two.opcode, render.queryVersion, [0, 11])),
      x.request(encodeRequest(three.opcode, fixes.queryVersion, [5, 0])),
    ]);
    return new Extensions(x, one.opcode, two.opcode, three.opcode, three.firstEvent, four.opcode);
  }

  /** RENDER's picture format of each visual. */
  findFormats(): Promise<ReadonlyMap<number, number>> {
    this.formats ??= this.x.request(encodeRequest(this.render, render.queryPictFormats, [])).then(parseFormats);
    return this.formats;
  }

  /** Redirects every child of the root to its own pixmap, still shown by the server. */
  redirectAll(root: number): Buffer {
    const automatic = 0;
    return encodeRequest(this.composite, composite.redirectSubwindows, [root, automatic]);
  }

  nameWindowPixmap(window: number, pixmap: number): Buffer {
    return encodeRequest(this.composite, composite.nameWindowPixmap, [window, pixmap]);
  }

  /** Selects events for a change of a selection's owner. */
  selectSelection(window: number, selection: number): Buffer {
    const everyChange = 7;
    return encodeRequest(this.fixes, fixes.selectSelection, [window, selection, everyChange]);
  }

  createRegion(region: number): Buffer {
    return encodeRequest(this.fixes, fixes.createRegion, [region]);
  }

  createWindowRegion(region: number, window: number): Buffer {
    const bounding = 0;
    return encodeRequest(this.fixes, fixes.regionFromWindow, [region, window, bounding]);
  }

  destroyRegion(region: number): Buffer {
    return encodeRequest(this.fixes, fixes.destroyRegion, [region]);
  }

  uniteRegions(region: number, other: number): Buffer {
    return encodeRequest(this.fixes, fixes.union, [region, other, region]);
  }

  intersectRegions(region: number, other: number): Buffer {
    return encodeRequest(this.fixes, fixes.intersect, [region, other, region]);
  }

  translateRegion(region: number, dx: number, dy: number): Buffer {
    return encodeRequest(this.fixes, fixes.translate, [region, pack(dx, dy)]);
  }

  setPictureClip(picture: number, region: number): Buffer {
    return encodeRequest(this.fixes, fixes.setPictureClip, [picture, region, 0]);
  }

  createPicture(picture: number, drawable: number, format: number): Buffer {
    return encodeRequest(this.render, render.createPicture, [picture, drawable, format, 0]);
  }

  freePicture(picture: number): Buffer {
    return encodeRequest(this.render, render.freePicture, [picture]);
  }

  compositePicture({ op, from, to, x, y, width, height }: Placement): Buffer {
    const [size, place] = [pack(width, height), pack(x, y)];
    return encodeRequest(this.render, render.composite, [op, from, 0, to, 0, 0, place, size]);
  }

  /** Fills a picture with opaque black. */
  fillBlack(picture: number, width: number, height: number): Buffer {
    const [black, opaque] = [0, 0xffff_0000];
    return encodeRequest(this.render, render.fill, [pictOp.src, picture, black, opaque, 0, pack(width, height)]);
  }
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
