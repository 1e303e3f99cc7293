import type { Bounds, Point } from "../../../model/bounds.ts";
import type { Env } from "../../../model/env.ts";
import type { PointerState } from "../../port.ts";
import { ignore } from "../ignore.ts";
import { XError, XTransport } from "./transport.ts";
import { encodeRequest, encodeWithBytes, pack } from "./wire.ts";

const opcode = {
  getAttributes: 3,
  getGeometry: 14,
  queryTree: 15,
  internAtom: 16,
  getAtomName: 17,
  getProperty: 20,
  getSelectionOwner: 23,
  queryPointer: 38,
  translate: 40,
  getInputFocus: 43,
  getKeyboardMapping: 101,
};
const randrGetMonitors = 42;
const shape = { queryExtents: 5, getRectangles: 8 };
export const shapeKind = { bounding: 0, input: 2 };
/** X-Resource; the mask selects the process id known to the server. */
const [queryClientIds, localClientPid] = [4, 2];
const anyPropertyType = 0;
/** A hostile window may have megabytes in a property; no title needs more 4-byte units. */
const maxPropertyUnits = 4096;
/** 1 GB in 4-byte units: more than any server keeps. */
const wholeProperty = 1 << 28;
const [firstKeycode, keycodeCount] = [8, 248];
/** Shift, Control, Mod1 (Alt), Mod4 (Super) and the buttons; not the locks. */
const heldMask = 0x1f4d;

export interface Property {
  readonly type: number;
  readonly format: number;
  readonly bytes: Buffer;
}

/** Windows nest: a frame, the application's window, and its inner windows. Nothing goes deeper than this. */
const maxLevels = 24;

export interface Attributes {
  readonly visual: number;
  readonly isViewable: boolean;
  readonly isUnmanaged: boolean;
  /** InputOnly: it receives input and shows nothing. */
  readonly isInvisible: boolean;
}

export interface MonitorReply extends Bounds {
  readonly nameAtom: number;
  readonly isPrimary: boolean;
}

/** One method per request with a reply: X11 core protocol, RANDR 1.5, SHAPE 1.1 and X-Resource 1.2. */
export class XConnection extends XTransport {
  static async connect(env: Env, timeoutMs: number): Promise<XConnection> {
    const connection = new XConnection(env);
    await connection.connect(timeoutMs);
    return connection;
  }

  async internAtoms<Name extends string>(names: readonly Name[]): Promise<Record<Name, number>> {
    const replies = await Promise.all(
      names.map((name) =>
        this.request(encodeWithBytes(opcode.internAtom, 0, [name.length], Buffer.from(name, "latin1"))),
      ),
    );
    const entries = names.map((name, index): [Name, number] => [name, replies[index]?.readUInt32LE(8) ?? 0]);
    return Object.fromEntries(entries) as Record<Name, number>;
  }

  async getAtomName(atom: number): Promise<string> {
    const reply = await unlessGone(this.request(encodeRequest(opcode.getAtomName, 0, [atom])));
    return reply === undefined ? "" : reply.toString("utf8", 32, 32 + reply.readUInt16LE(8));
  }

  /** A window's property; undefined if there is none or the window is gone. */
  getProperty(window: number, atom: number): Promise<Property | undefined> {
    return this.readProperty(window, atom, maxPropertyUnits, false);
  }

  /** Reads a whole property and deletes it: how a selection is received. */
  takeProperty(window: number, atom: number): Promise<Property | undefined> {
    return this.readProperty(window, atom, wholeProperty, true);
  }

  private async readProperty(
    window: number,
    atom: number,
    maxUnits: number,
    isTaken: boolean,
  ): Promise<Property | undefined> {
    const words = [window, atom, anyPropertyType, 0, maxUnits];
    const reply = await unlessGone(this.request(encodeRequest(opcode.getProperty, isTaken ? 1 : 0, words)));
    const format = reply?.[1] ?? 0;
    if (reply === undefined || format === 0) return undefined;
    const length = reply.readUInt32LE(16) * (format / 8);
    return { type: reply.readUInt32LE(8), format, bytes: reply.subarray(32, 32 + length) };
  }

  /** The window that owns a selection, or 0. */
  async getSelectionOwner(selection: number): Promise<number> {
    return (await this.request(encodeRequest(opcode.getSelectionOwner, 0, [selection]))).readUInt32LE(8);
  }

  /** A compositor owns the selection of its screen. */
  async hasCompositor(): Promise<boolean> {
    const { _NET_WM_CM_S0: selection } = await this.internAtoms(["_NET_WM_CM_S0"]);
    return (await this.getSelectionOwner(selection)) !== 0;
  }

  async getInputFocus(): Promise<number> {
    return (await this.request(encodeRequest(opcode.getInputFocus, 0))).readUInt32LE(8);
  }

  /** A window's size and screen position. Positions are translated by the server: wmctrl's sum counts the frame twice. */
  async getScreenGeometry(window: number): Promise<Bounds | undefined> {
    const [size, place] = await Promise.all([
      unlessGone(this.request(encodeRequest(opcode.getGeometry, 0, [window]))),
      unlessGone(this.request(encodeRequest(opcode.translate, 0, [window, this.root, 0]))),
    ]);
    if (size === undefined || place === undefined) return undefined;
    const [width, height] = [size.readUInt16LE(16), size.readUInt16LE(18)];
    return { x: place.readInt16LE(12), y: place.readInt16LE(14), width, height };
  }

  async getAttributes(window: number): Promise<Attributes | undefined> {
    const reply = await unlessGone(this.request(encodeRequest(opcode.getAttributes, 0, [window])));
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
  async getOuterGeometry(window: number): Promise<(Bounds & { readonly border: number }) | undefined> {
    const reply = await unlessGone(this.request(encodeRequest(opcode.getGeometry, 0, [window])));
    if (reply === undefined) return undefined;
    const border = reply.readUInt16LE(20);
    const { width, height, ...place } = readBounds(reply, 12);
    return { ...place, width: width + 2 * border, height: height + 2 * border, border };
  }

  /** The topmost mapped child at a screen point. */
  async getChildAt(window: number, point: Point): Promise<number | undefined> {
    const words = [this.root, window, pack(point.x, point.y)];
    const child = (await unlessGone(this.request(encodeRequest(opcode.translate, 0, words))))?.readUInt32LE(8) ?? 0;
    return child === 0 ? undefined : child;
  }

  async queryPointer(): Promise<PointerState> {
    const reply = await this.request(encodeRequest(opcode.queryPointer, 0, [this.root]));
    return { x: reply.readInt16LE(16), y: reply.readInt16LE(18), isHeld: (reply.readUInt16LE(24) & heldMask) !== 0 };
  }

  /** A window's children, bottom to top. */
  async queryChildren(window: number): Promise<number[]> {
    const reply = await this.queryTree(window);
    return reply === undefined ? [] : readUint32s(reply.subarray(32));
  }

  async getParent(window: number): Promise<number | undefined> {
    return (await this.queryTree(window))?.readUInt32LE(12);
  }

  private queryTree(window: number): Promise<Buffer | undefined> {
    return unlessGone(this.request(encodeRequest(opcode.queryTree, 0, [window])));
  }

  async getMonitors(): Promise<MonitorReply[]> {
    const extension = await this.findExtension("RANDR");
    if (extension === undefined) return [];
    const onlyActive = 1;
    const reply = await unlessGone(
      this.request(encodeRequest(extension.opcode, randrGetMonitors, [this.root, onlyActive])),
    );
    if (reply === undefined) return [];
    const monitors: MonitorReply[] = [];
    let at = 32;
    for (let left = reply.readUInt32LE(12); left > 0 && at + 24 <= reply.length; left -= 1) {
      const bounds = readBounds(reply, at + 8);
      monitors.push({ nameAtom: reply.readUInt32LE(at), isPrimary: reply[at + 4] === 1, ...bounds });
      at += 24 + reply.readUInt16LE(at + 6) * 4;
    }
    return monitors;
  }

  /** The process that owns a window, according to the server; the window's own property may be false. */
  async findClientPid(window: number): Promise<number | undefined> {
    const extension = await this.findExtension("X-Resource");
    if (extension === undefined) return undefined;
    const words = [1, window, localClientPid];
    const reply = await this.request(encodeRequest(extension.opcode, queryClientIds, words)).catch(() => undefined);
    // One entry: client, mask, length, value.
    const hasPid =
      reply !== undefined && reply.length >= 48 && reply.readUInt32LE(8) > 0 && reply.readUInt32LE(40) >= 4;
    return hasPid ? reply.readUInt32LE(44) : undefined;
  }

  /** Whether a window has a bounding shape. One that is gone counts as shaped: it covers nothing. */
  async hasShape(window: number): Promise<boolean> {
    const extension = await this.findExtension("SHAPE");
    if (extension === undefined) return false;
    const reply = await this.request(encodeRequest(extension.opcode, shape.queryExtents, [window])).catch(
      () => undefined,
    );
    return reply === undefined || reply[8] === 1;
  }

  /** A window's bounding or input shape, in its own coordinates; empty if it is gone. */
  async listShape(extension: number, window: number, kind: number): Promise<Bounds[]> {
    const reply = await this.request(encodeRequest(extension, shape.getRectangles, [window, kind])).catch(
      () => undefined,
    );
    const places: Bounds[] = [];
    for (let at = 32; reply !== undefined && at + 8 <= reply.length; at += 8) places.push(readBounds(reply, at));
    return places;
  }

  /** The keycodes that produce a keysym: unmodified, or on any level of any group. */
  async findKeycodes(keysym: number, on: "first level" | "any level"): Promise<number[]> {
    const reply = await this.request(encodeRequest(opcode.getKeyboardMapping, 0, [firstKeycode | (keycodeCount << 8)]));
    const width = Math.max(1, reply[1] ?? 1);
    const keysyms = readUint32s(reply.subarray(32));
    const places = keysyms.flatMap((one, index) => (one === keysym ? [index] : []));
    const found = places.filter((index) => on === "any level" || index % width === 0);
    return [...new Set(found.map((index) => firstKeycode + Math.floor(index / width)))];
  }

  /** A window and those around it, below the root, innermost first. */
  async *listAround(window: number): AsyncGenerator<number> {
    let current: number | undefined = window;
    for (let level = 0; level < maxLevels; level += 1) {
      // 0 and 1 mean "none" and "pointer root".
      if (current === undefined || current <= 1 || current === this.root) return;
      yield current;
      current = await this.getParent(current);
    }
  }

  /** The windows inside another at a screen point, innermost last. */
  async listUnder(window: number, point: Point): Promise<number[]> {
    const chain: number[] = [];
    while (chain.length < maxLevels) {
      const next = await this.getChildAt(chain.at(-1) ?? window, point);
      if (next === undefined) break;
      chain.push(next);
    }
    return chain;
  }
}

/** The numbers of a 32-bit property; none if it is missing or has another format. */
export function numbersOf(property: Property | undefined): number[] {
  return property?.format === 32 ? readUint32s(property.bytes) : [];
}

/** A position and a size of 16 bits each. */
export function readBounds(bytes: Buffer, at: number): Bounds {
  const [width, height] = [bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)];
  return { x: bytes.readInt16LE(at), y: bytes.readInt16LE(at + 2), width, height };
}

export function readUint32s(bytes: Buffer): number[] {
  const values: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) values.push(bytes.readUInt32LE(at));
  return values;
}

export function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(ignore(XError));
}
