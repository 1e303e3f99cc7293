import type { Env } from "../../../model/env.ts";
import type { StopKeys } from "../../module.ts";
import { XConnection, type XExtension, XUnavailable } from "./connection.ts";
import { DoubleEscape } from "./double-escape.ts";
import { ownEscapeProperty } from "./own-escape.ts";
import { getSelectionOwner, internAtoms } from "./requests.ts";
import { pad4 } from "./setup.ts";

const opcode = { changeAttributes: 2, getKeyboardMapping: 101 };
const eventMaskBit = 1 << 11;
const propertyChange = 1 << 22;
const event = { property: 28, mapping: 34, generic: 35 };
/** The X Input extension, version 2 (XI2proto). */
const xi = { selectEvents: 46, queryVersion: 47, queryDevice: 48 };
const raw = { keyPress: 13, keyRelease: 14, buttonPress: 15 };
const kinds = new Map<number, "press" | "release" | "button">([
  [raw.keyPress, "press"],
  [raw.keyRelease, "release"],
  [raw.buttonPress, "button"],
]);
const allDevices = 0;
const allMasters = 1;
const repeatFlag = 1 << 16;
const escapeKeysym = 0xff1b;
const firstKeycode = 8;
const keycodeCount = 248;
const connectTimeoutMs = 5000;

/**
 * Calls back when a person presses Escape twice, whatever has the focus or a grab: raw events reach every listener (XI
 * 2.1) without disturbing others.
 */
export async function listenForPanic(env: Env, onPanic: () => void): Promise<StopKeys | string> {
  let x: XConnection;
  try {
    x = await XConnection.connect(env, connectTimeoutMs);
  } catch (error) {
    if (!(error instanceof XUnavailable)) throw error;
    return error.message;
  }
  const extension = await x.findExtension("XInputExtension");
  const ear = extension === undefined ? undefined : new Ear(x, extension, onPanic);
  if (ear !== undefined && (await ear.begin())) return { ended: ear.ended.promise, close: () => x.close() };
  x.close();
  return "this X server has no X Input 2.1";
}

class Ear {
  readonly ended = Promise.withResolvers<void>();
  private escapes: ReadonlySet<number> = new Set();
  private programmed: ReadonlySet<number> = new Set();
  private atoms = { own: 0, typing: 0 };
  private readonly keys = new DoubleEscape((source) => this.programmed.has(source));

  constructor(
    private readonly x: XConnection,
    private readonly extension: XExtension,
    private readonly onPanic: () => void,
  ) {}

  async begin(): Promise<boolean> {
    const { x, extension } = this;
    const version = await x.request(encode(extension, xi.queryVersion, [2, 2]));
    if (version.readUInt16LE(8) < 2 || (version.readUInt16LE(8) === 2 && version.readUInt16LE(10) < 1)) return false;
    const atoms = await internAtoms(x, [ownEscapeProperty, "_DESKMAP_KEYBOARD"]);
    this.atoms = { own: atoms[ownEscapeProperty], typing: atoms._DESKMAP_KEYBOARD };
    this.programmed = parseProgrammed(await x.request(encode(extension, xi.queryDevice, [allDevices, 0])));
    await this.readEscapes();
    x.listen((message) => this.hear(message));
    x.onEnd(() => this.ended.resolve());
    await x.order(encodeAttention(x.root));
    await x.order(encodeSelection(extension, x.root));
    return true;
  }

  private hear(message: Buffer): void {
    const kind = (message[0] ?? 0) & 0x7f;
    if (kind === event.mapping) this.readEscapes().catch(ignoreEnd);
    if (kind === event.property && message.readUInt32LE(8) === this.atoms.own) {
      this.keys.expectOwn(message.readUInt32LE(12));
    }
    if (kind === event.generic && message[1] === this.extension.opcode) this.hearRaw(message);
  }

  private hearRaw(message: Buffer): void {
    const kind = kinds.get(message.readUInt16LE(8));
    if (kind === undefined || (message.readUInt32LE(24) & repeatFlag) !== 0) return;
    const keycode = message.readUInt32LE(16);
    const meaning = this.keys.hear({
      kind,
      keycode,
      source: message.readUInt16LE(20),
      isEscape: kind !== "button" && this.escapes.has(keycode),
      timeMs: message.readUInt32LE(12),
    });
    if (meaning === "stop") this.onPanic();
    if (meaning === "stop-while-typing") this.stopIfTyping().catch(ignoreEnd);
  }

  private async stopIfTyping(): Promise<void> {
    if ((await getSelectionOwner(this.x, this.atoms.typing)) !== 0) this.onPanic();
  }

  /** The keys that produce Escape, in any group and on any level. */
  private async readEscapes(): Promise<void> {
    const bytes = Buffer.alloc(8);
    bytes[0] = opcode.getKeyboardMapping;
    bytes[4] = firstKeycode;
    bytes[5] = keycodeCount;
    const reply = await this.x.request(bytes);
    const width = reply[1] ?? 0;
    const escapes = new Set<number>();
    for (let at = 32, index = 0; at + 4 <= reply.length; at += 4, index += 1) {
      if (reply.readUInt32LE(at) === escapeKeysym) escapes.add(firstKeycode + Math.floor(index / width));
    }
    this.escapes = escapes;
  }
}

/** The devices that programs use (XTEST has one per pointer and keyboard pair). */
function parseProgrammed(reply: Buffer): Set<number> {
  const found = new Set<number>();
  let at = 32;
  for (let count = reply.readUInt16LE(8); count > 0; count -= 1) {
    const [id, classes, nameLength] = [reply.readUInt16LE(at), reply.readUInt16LE(at + 6), reply.readUInt16LE(at + 8)];
    const name = reply.toString("utf8", at + 12, at + 12 + nameLength);
    if (/ XTEST (keyboard|pointer)$/.test(name)) found.add(id);
    at += 12 + pad4(nameLength);
    for (let index = 0; index < classes; index += 1) at += reply.readUInt16LE(at + 2) * 4;
  }
  return found;
}

function encode({ opcode: major }: XExtension, minor: number, numbers: readonly [number, number]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes[0] = major;
  bytes[1] = minor;
  bytes.writeUInt16LE(numbers[0], 4);
  bytes.writeUInt16LE(numbers[1], 6);
  return bytes;
}

function encodeSelection({ opcode: major }: XExtension, root: number): Buffer {
  const bytes = Buffer.alloc(20);
  bytes[0] = major;
  bytes[1] = xi.selectEvents;
  bytes.writeUInt32LE(root, 4);
  bytes.writeUInt16LE(1, 8);
  bytes.writeUInt16LE(allMasters, 12);
  bytes.writeUInt16LE(1, 14);
  bytes.writeUInt32LE(
    [...kinds.keys()].reduce((mask, kind) => mask | (1 << kind), 0),
    16,
  );
  return bytes;
}

function encodeAttention(root: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes[0] = opcode.changeAttributes;
  bytes.writeUInt32LE(root, 4);
  bytes.writeUInt32LE(eventMaskBit, 8);
  bytes.writeUInt32LE(propertyChange, 12);
  return bytes;
}

function ignoreEnd(error: unknown): void {
  if (!(error instanceof XUnavailable)) throw error;
}
