import type { XConnection } from "./connection.ts";
import { type Keymap, parseKeymap } from "./keymap.ts";
import type { XExtension } from "./transport.ts";
import { encodeRequest } from "./wire.ts";

// The XKB extension as far as it only reads: listening needs that, and must not reach what types.

const minor = { useExtension: 0, selectEvents: 1, getMap: 8 };
/** NewKeyboardNotify and MapNotify. */
const mapEvents = 3;
/** The core keyboard, fed by all real ones; the server applies changes to those too. */
export const coreKeyboard = 0x100;
export const mapPart = { keyTypes: 1, keySyms: 2, modifierMap: 4, keyActions: 16 };

/** Undefined if the server lacks XKB. */
export async function openXkb(x: XConnection): Promise<XExtension | undefined> {
  const extension = await x.findExtension("XKEYBOARD");
  if (extension === undefined) return undefined;
  const isSupported = (await x.request(encodeRequest(extension.opcode, minor.useExtension, [1])))[1] === 1;
  return isSupported ? extension : undefined;
}

export async function readKeymap(x: XConnection, extension: XExtension): Promise<Keymap> {
  const bytes = encodeXkb(extension, minor.getMap, 28, coreKeyboard);
  bytes.writeUInt16LE(mapPart.keyTypes | mapPart.keySyms | mapPart.modifierMap | mapPart.keyActions, 6);
  return parseKeymap(await x.request(bytes));
}

/** Events of another keyboard or another map; a client that uses XKB gets no core event for them. */
export function selectMapEvents(extension: XExtension): Buffer {
  const bytes = encodeXkb(extension, minor.selectEvents, 16, coreKeyboard);
  bytes.writeUInt16LE(mapEvents, 6);
  bytes.writeUInt16LE(mapEvents, 10);
  bytes.writeUInt32LE(0x00ff_00ff, 12);
  return bytes;
}

export function encodeXkb(extension: XExtension, request: number, length: number, device: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes[0] = extension.opcode;
  bytes[1] = request;
  bytes.writeUInt16LE(device, 4);
  return bytes;
}
