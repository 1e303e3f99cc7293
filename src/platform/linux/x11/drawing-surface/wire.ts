import type { Bounds } from "../../../../model/bounds.ts";

/** Requests that create and draw windows: X11 core protocol, SHAPE 1.1 and XFIXES 2. */
const core = {
  createWindow: 1,
  destroyWindow: 4,
  mapWindow: 8,
  configureWindow: 12,
  changeProperty: 18,
  setSelectionOwner: 22,
  grabServer: 36,
  ungrabServer: 37,
  createPixmap: 53,
  freePixmap: 54,
  createGc: 55,
  changeGc: 56,
  setClipRectangles: 59,
  freeGc: 60,
  clearArea: 61,
  copyArea: 62,
  fillRectangles: 70,
  putImage: 72,
  createColormap: 78,
};
const windowClass = { inputOutput: 1, inputOnly: 2 };
const attribute = { backPixmap: 1, backPixel: 2, borderPixel: 8, overrideRedirect: 512, events: 2048, colormap: 8192 };
const shape = { rectangles: 1, set: 0, union: 1, bounding: 0, input: 2 };
/** Request lengths are 16-bit counts of 4 bytes. */
const maxRequestBytes = 65_535 * 4;
export const maxRectangles = Math.floor((maxRequestBytes - 16) / 8);

function encodeWords(opcode: number, second: number, words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + words.length * 4);
  bytes[0] = opcode;
  bytes[1] = second;
  words.forEach((word, index) => void bytes.writeUInt32LE(word >>> 0, 4 + index * 4));
  return bytes;
}

export interface WindowVisual {
  readonly depth: number;
  readonly visual: number;
  /** 0 for the screen's. */
  readonly colormap: number;
  /** Its background pixmap. */
  readonly pixmap: number;
}

/** An override-redirect window; without a look it is input-only. */
export function createWindow(id: number, root: number, place: Bounds, events: number, look?: WindowVisual): Buffer {
  const values: readonly (readonly [number, number])[] = [
    ...(look === undefined ? [] : [[attribute.backPixmap, look.pixmap] as const, [attribute.borderPixel, 0] as const]),
    [attribute.overrideRedirect, 1],
    [attribute.events, events],
    ...(look === undefined || look.colormap === 0 ? [] : [[attribute.colormap, look.colormap] as const]),
  ];
  const mask = values.reduce((all, [bit]) => all | bit, 0);
  const kind = look === undefined ? windowClass.inputOnly : windowClass.inputOutput;
  const rest = [look?.visual ?? 0, mask, ...values.map(([, value]) => value)];
  const bytes = encodeWords(core.createWindow, look?.depth ?? 0, [id, root, 0, 0, 0, ...rest]);
  writeBounds(bytes, 12, place);
  bytes.writeUInt16LE(0, 20);
  bytes.writeUInt16LE(kind, 22);
  return bytes;
}

export function createColormap(id: number, root: number, visual: number): Buffer {
  return encodeWords(core.createColormap, 0, [id, root, visual]);
}

export function destroyWindow(id: number): Buffer {
  return encodeWords(core.destroyWindow, 0, [id]);
}

export function mapWindow(id: number): Buffer {
  return encodeWords(core.mapWindow, 0, [id]);
}

export function raiseWindow(id: number): Buffer {
  const [stackMode, above] = [1 << 6, 0];
  const bytes = encodeWords(core.configureWindow, 0, [id, 0, above]);
  bytes.writeUInt16LE(stackMode, 8);
  return bytes;
}

export function lowerWindow(id: number): Buffer {
  const bytes = raiseWindow(id);
  bytes.writeUInt32LE(1, 12);
  return bytes;
}

/** A property of 32-bit values. */
export function changeProperty(window: number, property: number, type: number, values: readonly number[]): Buffer {
  return encodeWords(core.changeProperty, 0, [window, property, type, 32, values.length, ...values]);
}

export function changeTextProperty(window: number, property: number, type: number, text: string): Buffer {
  const value = Buffer.from(text, "latin1");
  const bytes = Buffer.alloc(24 + Math.ceil(value.length / 4) * 4);
  encodeWords(core.changeProperty, 0, [window, property, type, 8, value.length]).copy(bytes);
  value.copy(bytes, 24);
  return bytes;
}

export function setSelectionOwner(owner: number, selection: number): Buffer {
  return encodeWords(core.setSelectionOwner, 0, [owner, selection, 0]);
}

export function grabServer(): Buffer {
  return encodeWords(core.grabServer, 0, []);
}

export function ungrabServer(): Buffer {
  return encodeWords(core.ungrabServer, 0, []);
}

export function createPixmap(
  id: number,
  drawable: number,
  depth: number,
  { width, height }: { readonly width: number; readonly height: number },
): Buffer {
  const bytes = encodeWords(core.createPixmap, depth, [id, drawable, 0]);
  bytes.writeUInt16LE(width, 12);
  bytes.writeUInt16LE(height, 14);
  return bytes;
}

export function freePixmap(id: number): Buffer {
  return encodeWords(core.freePixmap, 0, [id]);
}

const gcBit = { foreground: 4, subwindowMode: 1 << 15, exposures: 1 << 16, clipMask: 1 << 19 };

/** A graphics context for drawables of one depth; copies include child windows. */
export function createGc(id: number, drawable: number): Buffer {
  const [includeInferiors, noExposures] = [1, 0];
  const mask = gcBit.subwindowMode | gcBit.exposures;
  return encodeWords(core.createGc, 0, [id, drawable, mask, includeInferiors, noExposures]);
}

export function freeGc(id: number): Buffer {
  return encodeWords(core.freeGc, 0, [id]);
}

export function setForeground(gc: number, pixel: number): Buffer {
  return encodeWords(core.changeGc, 0, [gc, gcBit.foreground, pixel]);
}

/** Limits drawing to these places. */
export function setClip(gc: number, places: readonly Bounds[]): Buffer {
  return encodePlaces(core.setClipRectangles, 0, [gc, 0], places);
}

export function endClip(gc: number): Buffer {
  return encodeWords(core.changeGc, 0, [gc, gcBit.clipMask, 0]);
}

/** Repaints part of a window with its background. */
export function clearArea(window: number, place: Bounds): Buffer {
  const bytes = encodeWords(core.clearArea, 0, [window, 0, 0]);
  writeBounds(bytes, 8, place);
  return bytes;
}

export function copyArea(from: number, to: number, gc: number, source: Bounds, x: number, y: number): Buffer {
  const bytes = encodeWords(core.copyArea, 0, [from, to, gc, 0, 0, 0]);
  bytes.writeInt16LE(source.x, 16);
  bytes.writeInt16LE(source.y, 18);
  bytes.writeInt16LE(x, 20);
  bytes.writeInt16LE(y, 22);
  bytes.writeUInt16LE(source.width, 24);
  bytes.writeUInt16LE(source.height, 26);
  return bytes;
}

export function fillRectangles(drawable: number, gc: number, places: readonly Bounds[]): Buffer {
  return encodePlaces(core.fillRectangles, 0, [drawable, gc], places);
}

/** Pixels of 4 bytes, split to fit into requests. */
export function putImage(drawable: number, gc: number, depth: number, place: Bounds, pixels: Uint8Array): Buffer[] {
  const zPixmap = 2;
  const rowBytes = place.width * 4;
  const rows = Math.max(1, Math.floor((maxRequestBytes - 24) / rowBytes));
  const orders: Buffer[] = [];
  for (let done = 0; done < place.height; done += rows) {
    const height = Math.min(rows, place.height - done);
    const bytes = Buffer.alloc(24 + height * rowBytes);
    encodeWords(core.putImage, zPixmap, [drawable, gc, 0, 0, 0]).copy(bytes);
    bytes.writeUInt16LE(place.width, 12);
    bytes.writeUInt16LE(height, 14);
    bytes.writeInt16LE(place.x, 16);
    bytes.writeInt16LE(place.y + done, 18);
    bytes[21] = depth;
    bytes.set(pixels.subarray(done * rowBytes, (done + height) * rowBytes), 24);
    orders.push(bytes);
  }
  return orders;
}

/** Sets a window's visible shape. */
export function setBounding(opcode: number, window: number, places: readonly Bounds[]): Buffer {
  return encodePlaces(opcode, shape.rectangles, [shape.set | (shape.bounding << 8), window, 0], places);
}

export function addBounding(opcode: number, window: number, places: readonly Bounds[]): Buffer {
  return encodePlaces(opcode, shape.rectangles, [shape.union | (shape.bounding << 8), window, 0], places);
}

/** Makes the pointer pass through a window. */
export function emptyInput(opcode: number, window: number): Buffer {
  return encodePlaces(opcode, shape.rectangles, [shape.set | (shape.input << 8), window, 0], []);
}

function encodePlaces(opcode: number, second: number, words: readonly number[], places: readonly Bounds[]): Buffer {
  const start = 4 + words.length * 4;
  const kept = places.slice(0, maxRectangles);
  const bytes = Buffer.alloc(start + kept.length * 8);
  encodeWords(opcode, second, words).copy(bytes);
  kept.forEach((place, index) => void writeBounds(bytes, start + index * 8, place));
  return bytes;
}

function writeBounds(bytes: Buffer, at: number, { x, y, width, height }: Bounds): void {
  bytes.writeInt16LE(x, at);
  bytes.writeInt16LE(y, at + 2);
  bytes.writeUInt16LE(width, at + 4);
  bytes.writeUInt16LE(height, at + 6);
}
