import type { XConnection } from "./connection.ts";
import type { Keymap, KeyRow } from "./keymap.ts";
import { coreKeyboard, encodeXkb, mapPart, openXkb, readKeymap } from "./read-keymap.ts";
import type { XExtension } from "./transport.ts";

/** The XKB extension as far as typing needs it: map, locks and groups. */
const minor = { getState: 4, latchLockState: 5, setMap: 9 };
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
    const extension = await openXkb(x);
    return extension && new Xkb(x, extension);
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

  getKeymap(): Promise<Keymap> {
    return readKeymap(this.x, this.extension);
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
    return encodeXkb(this.extension, request, length, device);
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
