import type { Bounds, Size } from "../../../model/bounds.ts";

/** Requests of the X11 core protocol and SHAPE 1.1 as bytes, and the numbers of events. Nothing is sent here. */
const core = {
  createWindow: 1,
  changeAttributes: 2,
  destroyWindow: 4,
  mapWindow: 8,
  configureWindow: 12,
  changeProperty: 18,
  deleteProperty: 19,
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
export const eventCode = {
  keyPress: 2,
  keyRelease: 3,
  buttonPress: 4,
  buttonRelease: 5,
  motion: 6,
  focusIn: 9,
  focusOut: 10,
  expose: 12,
  destroy: 17,
  unmap: 18,
  map: 19,
  reparent: 21,
  configure: 22,
  circulate: 26,
  property: 28,
  selectionClear: 29,
  selectionRequest: 30,
  selectionNotify: 31,
  clientMessage: 33,
  mapping: 34,
  generic: 35,
};
export const eventMask = {
  none: 0,
  buttonPress: 1 << 2,
  buttonRelease: 1 << 3,
  motion: 1 << 6,
  exposure: 1 << 15,
  structure: 1 << 17,
  substructure: 1 << 19,
  substructureRedirect: 1 << 20,
  focus: 1 << 21,
  property: 1 << 22,
};
const windowClass = { inputOutput: 1, inputOnly: 2 };
const attribute = { backPixmap: 1, backPixel: 2, borderPixel: 8, overrideRedirect: 512, events: 2048, colormap: 8192 };
const shape = { rectangles: 1, set: 0, union: 1, bounding: 0, input: 2 };
/** The predefined atom STRING. */
const stringType = 31;
/** Request lengths are 16-bit counts of 4 bytes. */
const maxRequestBytes = 65_535 * 4;
export const maxRectangles = Math.floor((maxRequestBytes - 16) / 8);

/** A request of 32-bit words, without its length, which the connection fills in. */
export function encodeRequest(opcode: number, second: number, words: readonly number[] = []): Buffer {
  const bytes = Buffer.alloc(4 + words.length * 4);
  bytes[0] = opcode;
  bytes[1] = second;
  for (let index = 0; index < words.length; index += 1) bytes.writeUInt32LE((words[index] ?? 0) >>> 0, 4 + index * 4);
  return bytes;
}

/** A request of words and a text or other bytes, padded. */
export function encodeWithBytes(opcode: number, second: number, words: readonly number[], content: Buffer): Buffer {
  const start = 4 + words.length * 4;
  const bytes = Buffer.alloc(start + pad4(content.length));
  encodeRequest(opcode, second, words).copy(bytes);
  content.copy(bytes, start);
  return bytes;
}

/** Two 16-bit numbers in one word. */
export function pack(low: number, high: number): number {
  return ((low & 0xffff) | ((high & 0xffff) << 16)) >>> 0;
}

export function pad4(length: number): number {
  return Math.ceil(length / 4) * 4;
}

/** The code of an event, whether sent by the server or by a client. */
export function codeOf(event: Buffer): number {
  return (event[0] ?? 0) & 0x7f;
}

export function selectInput(window: number, events: number): Buffer {
  return encodeRequest(core.changeAttributes, 0, [window, attribute.events, events]);
}

export interface WindowVisual {
  readonly depth: number;
  readonly visual: number;
  /** 0 for the screen's. */
  readonly colormap: number;
  readonly pixmap: number;
}

/** An override-redirect window; without a visual it is input-only. */
export function createWindow(id: number, root: number, place: Bounds, events: number, shown?: WindowVisual): Buffer {
  const values: readonly (readonly [number, number])[] = [
    ...(shown === undefined
      ? []
      : [[attribute.backPixmap, shown.pixmap] as const, [attribute.borderPixel, 0] as const]),
    [attribute.overrideRedirect, 1],
    [attribute.events, events],
    ...(shown === undefined || shown.colormap === 0 ? [] : [[attribute.colormap, shown.colormap] as const]),
  ];
  const mask = values.reduce((all, [bit]) => all | bit, 0);
  const kind = shown === undefined ? windowClass.inputOnly : windowClass.inputOutput;
  const rest = [shown?.visual ?? 0, mask, ...values.map(([, value]) => value)];
  return encodeRequest(core.createWindow, shown?.depth ?? 0, [id, root, ...packBounds(place), pack(0, kind), ...rest]);
}

export function createColormap(id: number, root: number, visual: number): Buffer {
  return encodeRequest(core.createColormap, 0, [id, root, visual]);
}

export function destroyWindow(id: number): Buffer {
  return encodeRequest(core.destroyWindow, 0, [id]);
}

export function mapWindow(id: number): Buffer {
  return encodeRequest(core.mapWindow, 0, [id]);
}

/** Places a window above or below all its siblings. */
export function restackWindow(id: number, place: "above" | "below"): Buffer {
  const stackMode = 1 << 6;
  return encodeRequest(core.configureWindow, 0, [id, stackMode, place === "above" ? 0 : 1]);
}

export interface PropertyValue {
  readonly type: number;
  readonly format: 8 | 32;
  readonly bytes: Buffer;
}

export function changeProperty(window: number, property: number, value: PropertyValue): Buffer {
  const { type, format, bytes } = value;
  const words = [window, property, type, format, bytes.length / (format / 8)];
  return encodeWithBytes(core.changeProperty, 0, words, bytes);
}

/** A property of 32-bit values. */
export function changeNumbers(window: number, property: number, type: number, values: readonly number[]): Buffer {
  return changeProperty(window, property, { type, format: 32, bytes: encodeNumbers(values) });
}

export function changeTextProperty(window: number, property: number, text: string): Buffer {
  return changeProperty(window, property, { type: stringType, format: 8, bytes: Buffer.from(text, "latin1") });
}

export function deleteProperty(window: number, property: number): Buffer {
  return encodeRequest(core.deleteProperty, 0, [window, property]);
}

export function encodeNumbers(values: readonly number[]): Buffer {
  return Buffer.from(Uint32Array.from(values).buffer);
}

export function setSelectionOwner(owner: number, selection: number, timeMs = 0): Buffer {
  return encodeRequest(core.setSelectionOwner, 0, [owner, selection, timeMs]);
}

export function grabServer(): Buffer {
  return encodeRequest(core.grabServer, 0);
}

export function ungrabServer(): Buffer {
  return encodeRequest(core.ungrabServer, 0);
}

export function createPixmap(id: number, drawable: number, depth: number, { width, height }: Size): Buffer {
  return encodeRequest(core.createPixmap, depth, [id, drawable, pack(width, height)]);
}

export function freePixmap(id: number): Buffer {
  return encodeRequest(core.freePixmap, 0, [id]);
}

const gcBit = { foreground: 4, subwindowMode: 1 << 15, exposures: 1 << 16, clipMask: 1 << 19 };

/** A graphics context for drawables of one depth; copies include child windows. */
export function createGc(id: number, drawable: number): Buffer {
  const [includeInferiors, noExposures] = [1, 0];
  const mask = gcBit.subwindowMode | gcBit.exposures;
  return encodeRequest(core.createGc, 0, [id, drawable, mask, includeInferiors, noExposures]);
}

export function freeGc(id: number): Buffer {
  return encodeRequest(core.freeGc, 0, [id]);
}

export function setForeground(gc: number, pixel: number): Buffer {
  return encodeRequest(core.changeGc, 0, [gc, gcBit.foreground, pixel]);
}

export function setClip(gc: number, places: readonly Bounds[]): Buffer {
  return encodePlaces(core.setClipRectangles, 0, [gc, 0], places);
}

export function endClip(gc: number): Buffer {
  return encodeRequest(core.changeGc, 0, [gc, gcBit.clipMask, 0]);
}

/** Repaints part of a window with its background. */
export function clearArea(window: number, place: Bounds): Buffer {
  return encodeRequest(core.clearArea, 0, [window, ...packBounds(place)]);
}

export function copyArea(from: number, to: number, gc: number, source: Bounds, x: number, y: number): Buffer {
  const places = [pack(source.x, source.y), pack(x, y), pack(source.width, source.height)];
  return encodeRequest(core.copyArea, 0, [from, to, gc, ...places]);
}

export function fillRectangles(drawable: number, gc: number, places: readonly Bounds[]): Buffer {
  return encodePlaces(core.fillRectangles, 0, [drawable, gc], places);
}

/** Pixels of 4 bytes, split to fit into requests. */
export function putImage(drawable: number, gc: number, depth: number, place: Bounds, pixels: Uint8Array): Buffer[] {
  const zPixmap = 2;
  const rowBytes = place.width * 4;
  const rows = Math.max(1, Math.floor((maxRequestBytes - 24) / rowBytes));
  const requests: Buffer[] = [];
  for (let done = 0; done < place.height; done += rows) {
    const height = Math.min(rows, place.height - done);
    const bytes = Buffer.alloc(24 + height * rowBytes);
    const words = [drawable, gc, pack(place.width, height), pack(place.x, place.y + done), depth << 8];
    encodeRequest(core.putImage, zPixmap, words).copy(bytes);
    bytes.set(pixels.subarray(done * rowBytes, (done + height) * rowBytes), 24);
    requests.push(bytes);
  }
  return requests;
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
  return encodeRequest(opcode, second, [...words, ...places.slice(0, maxRectangles).flatMap(packBounds)]);
}

/** Position and size in two words. */
export function packBounds({ x, y, width, height }: Bounds): [number, number] {
  return [pack(x, y), pack(width, height)];
}
