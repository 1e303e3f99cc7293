import type { XConnection } from "./connection.ts";
import { addStuckKeys } from "./pressed-keys.ts";
import { getProperty, internAtoms } from "./requests.ts";
import { pad4 } from "./setup.ts";
import { encodeUndo, parseUndo, type Undo } from "./undo.ts";
import type { Xkb } from "./xkb.ts";
import { orderTogether, type XTest } from "./xtest.ts";

const opcode = { changeProperty: 18, deleteProperty: 19 };
const stringType = 31;

/**
 * A property of the root window that records changes of the keyboard while they last. Found by the process that has the
 * keyboard's turn, it was left by one that has ended. It contains the original state, not what is typed.
 */
export class Leftovers {
  private constructor(
    private readonly x: XConnection,
    private readonly atom: number,
  ) {}

  static async open(x: XConnection): Promise<Leftovers> {
    return new Leftovers(x, (await internAtoms(x, ["_DESKMAP_KEYBOARD_UNDO"]))._DESKMAP_KEYBOARD_UNDO);
  }

  /** The request that sets it. */
  leave(undo: Undo): Buffer {
    const text = Buffer.from(JSON.stringify(undo), "latin1");
    const bytes = Buffer.alloc(24 + pad4(text.length));
    bytes[0] = opcode.changeProperty;
    bytes.writeUInt32LE(this.x.root, 4);
    bytes.writeUInt32LE(this.atom, 8);
    bytes.writeUInt32LE(stringType, 12);
    bytes[16] = 8;
    bytes.writeUInt32LE(text.length, 20);
    text.copy(bytes, 24);
    return bytes;
  }

  /** The request that removes it. */
  remove(): Buffer {
    const bytes = Buffer.alloc(12);
    bytes[0] = opcode.deleteProperty;
    bytes.writeUInt32LE(this.x.root, 4);
    bytes.writeUInt32LE(this.atom, 8);
    return bytes;
  }

  /** Undoes what a process that ended left changed. Only in this process's turn: it would undo another's changes. */
  async undo(xtest: XTest, xkb: Xkb | undefined, mayPress = true): Promise<void> {
    const note = await getProperty(this.x, this.x.root, this.atom);
    const left = note && parseUndo(note.bytes.toString("latin1"));
    if (left === undefined) return;
    const undo = await addStuckKeys(this.x, mayPress ? left : { ...left, pressKeys: [] });
    await orderTogether(this.x, [...encodeUndo(xtest, xkb, undo), this.remove()]);
  }
}
