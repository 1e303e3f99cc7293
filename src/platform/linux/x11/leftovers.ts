import type { XConnection } from "./connection.ts";
import { getProperty, internAtoms } from "./requests.ts";
import { pad4 } from "./setup.ts";
import { parseUndo, type Undo } from "./undo.ts";

const opcode = { changeProperty: 18, deleteProperty: 19 };
const stringType = 31;

/**
 * A property of the root window that records changes of the keyboard while they last: the next typing process waits
 * until it is gone, and undoes them if nobody else can. It contains the original state, not what is typed.
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

  async read(): Promise<Undo | undefined> {
    const note = await getProperty(this.x, this.x.root, this.atom);
    return note && parseUndo(note.bytes.toString("latin1"));
  }
}
