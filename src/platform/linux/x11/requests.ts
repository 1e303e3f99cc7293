import type { Point } from "../../../model/bounds.ts";
import { type XConnection, XError } from "./connection.ts";
import { pad4 } from "./setup.ts";

/** Requests of the X11 core protocol and RANDR 1.5; one function each. */
const opcode = {
  getAttributes: 3,
  getGeometry: 14,
  queryTree: 15,
  internAtom: 16,
  getProperty: 20,
  getSelectionOwner: 23,
  queryPointer: 38,
  translate: 40,
  getInputFocus: 43,
};
const randrGetMonitors = 42;
const anyPropertyType = 0;
/** A hostile window may have megabytes in a property; no title needs more 4-byte units. */
const maxPropertyUnits = 4096;

/** 1 GB in 4-byte units: more than any server keeps. */
const wholeProperty = 1 << 28;

export interface Property {
  readonly format: number;
  readonly bytes: Buffer;
}

export interface Geometry {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export async function internAtoms<Name extends string>(
  x: XConnection,
  names: readonly Name[],
): Promise<Record<Name, number>> {
  const replies = await Promise.all(
    names.map((name) => {
      const bytes = Buffer.alloc(8 + pad4(name.length));
      bytes[0] = opcode.internAtom;
      bytes.writeUInt16LE(name.length, 4);
      bytes.write(name, 8, "latin1");
      return x.request(bytes);
    }),
  );
  const entries = names.map((name, index): [Name, number] => [name, replies[index]?.readUInt32LE(8) ?? 0]);
  return Object.fromEntries(entries) as Record<Name, number>;
}

/** A window's property; undefined if there is none or the window is gone. */
export async function getProperty(x: XConnection, window: number, atom: number): Promise<Property | undefined> {
  const bytes = Buffer.alloc(24);
  bytes[0] = opcode.getProperty;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(atom, 8);
  bytes.writeUInt32LE(anyPropertyType, 12);
  bytes.writeUInt32LE(maxPropertyUnits, 20);
  const reply = await unlessGone(x.request(bytes));
  const format = reply?.[1] ?? 0;
  if (reply === undefined || format === 0) return undefined;
  const length = reply.readUInt32LE(16) * (format / 8);
  return { format, bytes: reply.subarray(32, 32 + length) };
}

/** Reads a whole property and deletes it: how a selection is received. Undefined if there is none. */
export async function takeProperty(
  x: XConnection,
  window: number,
  atom: number,
): Promise<(Property & { readonly type: number }) | undefined> {
  const bytes = Buffer.alloc(24);
  bytes[0] = opcode.getProperty;
  bytes[1] = 1;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(atom, 8);
  bytes.writeUInt32LE(anyPropertyType, 12);
  bytes.writeUInt32LE(wholeProperty, 20);
  const reply = await unlessGone(x.request(bytes));
  const type = reply?.readUInt32LE(8) ?? 0;
  if (reply === undefined || type === 0) return undefined;
  const format = reply[1] ?? 8;
  return { type, format, bytes: reply.subarray(32, 32 + reply.readUInt32LE(16) * (format / 8)) };
}

/** The window that owns a selection, or 0; a compositor, for example, owns one. */
export async function getSelectionOwner(x: XConnection, selection: number): Promise<number> {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.getSelectionOwner;
  bytes.writeUInt32LE(selection, 4);
  return (await x.request(bytes)).readUInt32LE(8);
}

/** The focused window. */
export async function getInputFocus(x: XConnection): Promise<number> {
  const bytes = Buffer.alloc(4);
  bytes[0] = opcode.getInputFocus;
  return (await x.request(bytes)).readUInt32LE(8);
}

/** A window's size and screen position. Positions are translated by the server: wmctrl's sum counts the frame twice. */
export async function getScreenGeometry(x: XConnection, window: number): Promise<Geometry | undefined> {
  const geometry = Buffer.alloc(8);
  geometry[0] = opcode.getGeometry;
  geometry.writeUInt32LE(window, 4);
  const origin = Buffer.alloc(16);
  origin[0] = opcode.translate;
  origin.writeUInt32LE(window, 4);
  origin.writeUInt32LE(x.root, 8);
  const [size, place] = await Promise.all([unlessGone(x.request(geometry)), unlessGone(x.request(origin))]);
  if (size === undefined || place === undefined) return undefined;
  return {
    x: place.readInt16LE(12),
    y: place.readInt16LE(14),
    width: size.readUInt16LE(16),
    height: size.readUInt16LE(18),
  };
}

export interface Attributes {
  readonly visual: number;
  readonly isViewable: boolean;
  readonly isUnmanaged: boolean;
  /** InputOnly: it receives input and shows nothing. */
  readonly isInvisible: boolean;
}

export async function getAttributes(x: XConnection, window: number): Promise<Attributes | undefined> {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.getAttributes;
  bytes.writeUInt32LE(window, 4);
  const reply = await unlessGone(x.request(bytes));
  return (
    reply && {
      visual: reply.readUInt32LE(8),
      isViewable: reply[26] === 2,
      isUnmanaged: reply[27] === 1,
      isInvisible: reply.readUInt16LE(12) === 2,
    }
  );
}

/** A window's position in its parent, including its border. */
export async function getOuterGeometry(
  x: XConnection,
  window: number,
): Promise<(Geometry & { readonly border: number }) | undefined> {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.getGeometry;
  bytes.writeUInt32LE(window, 4);
  const reply = await unlessGone(x.request(bytes));
  if (reply === undefined) return undefined;
  const border = reply.readUInt16LE(20);
  return {
    x: reply.readInt16LE(12),
    y: reply.readInt16LE(14),
    width: reply.readUInt16LE(16) + 2 * border,
    height: reply.readUInt16LE(18) + 2 * border,
    border,
  };
}

/** The topmost mapped child at a screen point. */
export async function getChildAt(x: XConnection, window: number, point: Point): Promise<number | undefined> {
  const bytes = Buffer.alloc(16);
  bytes[0] = opcode.translate;
  bytes.writeUInt32LE(x.root, 4);
  bytes.writeUInt32LE(window, 8);
  bytes.writeInt16LE(point.x, 12);
  bytes.writeInt16LE(point.y, 14);
  const child = (await unlessGone(x.request(bytes)))?.readUInt32LE(8) ?? 0;
  return child === 0 ? undefined : child;
}

/** The pointer's screen position. */
export async function queryPointer(x: XConnection): Promise<Point> {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.queryPointer;
  bytes.writeUInt32LE(x.root, 4);
  const reply = await x.request(bytes);
  return { x: reply.readInt16LE(16), y: reply.readInt16LE(18) };
}

/** A window's children, bottom to top. */
export async function queryChildren(x: XConnection, window: number): Promise<number[]> {
  const reply = await queryTree(x, window);
  return reply === undefined ? [] : readUint32s(reply.subarray(32));
}

export async function getParent(x: XConnection, window: number): Promise<number | undefined> {
  return (await queryTree(x, window))?.readUInt32LE(12);
}

function queryTree(x: XConnection, window: number): Promise<Buffer | undefined> {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.queryTree;
  bytes.writeUInt32LE(window, 4);
  return unlessGone(x.request(bytes));
}

export interface MonitorReply extends Geometry {
  readonly nameAtom: number;
  readonly isPrimary: boolean;
}

export async function getMonitors(x: XConnection): Promise<MonitorReply[]> {
  const extension = await x.findExtension("RANDR");
  if (extension === undefined) return [];
  const bytes = Buffer.alloc(12);
  bytes[0] = extension.opcode;
  bytes[1] = randrGetMonitors;
  bytes.writeUInt32LE(x.root, 4);
  bytes[8] = 1;
  const reply = await unlessGone(x.request(bytes));
  if (reply === undefined) return [];
  const monitors: MonitorReply[] = [];
  let at = 32;
  for (let left = reply.readUInt32LE(12); left > 0 && at + 24 <= reply.length; left -= 1) {
    monitors.push({
      nameAtom: reply.readUInt32LE(at),
      isPrimary: reply[at + 4] === 1,
      x: reply.readInt16LE(at + 8),
      y: reply.readInt16LE(at + 10),
      width: reply.readUInt16LE(at + 12),
      height: reply.readUInt16LE(at + 14),
    });
    at += 24 + reply.readUInt16LE(at + 6) * 4;
  }
  return monitors;
}

export async function getAtomName(x: XConnection, atom: number): Promise<string> {
  const bytes = Buffer.alloc(8);
  bytes[0] = 17;
  bytes.writeUInt32LE(atom, 4);
  const reply = await unlessGone(x.request(bytes));
  return reply === undefined ? "" : reply.toString("utf8", 32, 32 + reply.readUInt16LE(8));
}

export function readUint32s(bytes: Buffer): number[] {
  const values: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) values.push(bytes.readUInt32LE(at));
  return values;
}

async function unlessGone(reply: Promise<Buffer>): Promise<Buffer | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof XError) return undefined;
    throw error;
  }
}
