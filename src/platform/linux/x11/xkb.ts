import type { XConnection } from "./connection.ts";
import { type Keymap, type KeyRow, parseKeymap } from "./keymap.ts";
import type { XExtension } from "./transport.ts";
import { encodeRequest } from "./wire.ts";

/** The XKB extension as far as typing needs it: map, locks and groups. */
const minor = { useExtension: 0, getState: 4, latchLockState: 5, getMap: 8, setMap: 9 };
/** The core keyboard, fed by all real ones; the server applies changes to those too. */
const coreKeyboard = 0x100;
const mapPart = { keyTypes: 1, keySyms: 2, modifierMap: 4, keyActions: 16 };
const everyModifier = 0xff;

export interface Locks {
  readonly mods: number;
  readonly group: number;
}

export interface KeyboardState {
  readonly heldMods: number;
  readonly latchedMods: number;
  readonly locked: Locks;
  /** The effective group of held, latched and locked ones. */
  readonly group: number;
}

export class Xkb {
  private constructor(
    private readonly x: XConnection,
    private readonly extension: XExtension,
  ) {}

  static async open(x: XConnection): Promise<Xkb | undefined> {
    const extension = await x.findExtension("XKEYBOARD");
    if (extension === undefined) return undefined;
    const isSupported = (await x.request(encodeRequest(extension.opcode, minor.useExtension, [1])))[1] === 1;
    return isSupported ? new Xkb(x, extension) : undefined;
  }

  async getState(device = coreKeyboard): Promise<KeyboardState> {
    const bytes = this.begin(minor.getState, 8, device);
    const reply = await this.x.request(bytes);
    return {
      heldMods: reply.readUInt8(9),
      latchedMods: reply.readUInt8(10),
      locked: { mods: reply.readUInt8(11), group: reply.readUInt8(13) },
      group: reply.readUInt8(12),
    };
  }

  async getKeymap(): Promise<Keymap> {
    const bytes = this.begin(minor.getMap, 28, coreKeyboard);
    bytes.writeUInt16LE(mapPart.keyTypes | mapPart.keySyms | mapPart.modifierMap | mapPart.keyActions, 6);
    return parseKeymap(await this.x.request(bytes));
  }

  /** Sets locks and group, and clears latches. */
  lock({ mods, group }: Locks): Buffer {
    const bytes = this.begin(minor.latchLockState, 16, coreKeyboard);
    bytes[6] = everyModifier;
    bytes[7] = mods;
    bytes[8] = 1;
    bytes[9] = group;
    bytes[10] = everyModifier;
    bytes[13] = 1;
    return bytes;
  }

  /** Replaces consecutive rows in one request, since every request makes all applications reread the map. */
  setRows(rows: readonly KeyRow[]): Buffer {
    const bodies = rows.map(encodeRow);
    const bytes = Buffer.concat([this.begin(minor.setMap, 36, coreKeyboard), ...bodies]);
    const first = rows[0]?.keycode ?? 0;
    bytes.writeUInt16LE(mapPart.keySyms, 6);
    bytes[10] = first;
    bytes[11] = rows.at(-1)?.keycode ?? 0;
    bytes[14] = first;
    bytes[15] = rows.length;
    bytes.writeUInt16LE(
      rows.reduce((sum, row) => sum + row.keysyms.length, 0),
      16,
    );
    return bytes;
  }

  private begin(request: number, length: number, device: number): Buffer {
    const bytes = Buffer.alloc(length);
    bytes[0] = this.extension.opcode;
    bytes[1] = request;
    bytes.writeUInt16LE(device, 4);
    return bytes;
  }
}

function encodeRow(row: KeyRow): Buffer {
  const bytes = Buffer.alloc(8 + row.keysyms.length * 4);
  for (const [index, type] of row.types.entries()) bytes[index] = type;
  bytes[4] = row.groupInfo;
  bytes[5] = row.width;
  bytes.writeUInt16LE(row.keysyms.length, 6);
  for (const [index, keysym] of row.keysyms.entries()) bytes.writeUInt32LE(keysym, 8 + index * 4);
  return bytes;
}
