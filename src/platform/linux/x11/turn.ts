import { setTimeout as pause } from "node:timers/promises";
import type { XConnection } from "./connection.ts";
import { getSelectionOwner, internAtoms } from "./requests.ts";

const opcode = { createWindow: 1, setSelectionOwner: 22, grabServer: 36, ungrabServer: 37 };
const inputOnly = 2;
const lookAgainMs = 10;

/**
 * Only one process at a time may change the keyboard: two that remap keys would undo each other. The turn is the
 * ownership of a selection, which the server revokes when the process ends.
 */
export class KeyboardTurn {
  private window: number | undefined;
  private selection = 0;

  constructor(private readonly x: XConnection) {}

  /** Returns whether it was obtained in time. */
  async take(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    const window = this.window ?? (await this.createWindow());
    for (;;) {
      if (await this.takeIfFree(window)) return true;
      if (performance.now() > deadline) return false;
      await pause(lookAgainMs);
    }
  }

  async giveBack(): Promise<void> {
    await this.x.order(this.encodeOwner(0));
  }

  /** Under a server grab, so that nobody else takes it in between. */
  private async takeIfFree(window: number): Promise<boolean> {
    await this.x.order(encodePlain(opcode.grabServer));
    const isFree = (await getSelectionOwner(this.x, this.selection)) === 0;
    const taking = isFree ? [this.x.order(this.encodeOwner(window))] : [];
    await Promise.all([...taking, this.x.order(encodePlain(opcode.ungrabServer))]);
    return isFree;
  }

  private async createWindow(): Promise<number> {
    const atoms = await internAtoms(this.x, ["_DESKMAP_KEYBOARD"]);
    this.selection = atoms._DESKMAP_KEYBOARD;
    const window = this.x.allotId();
    const bytes = Buffer.alloc(32);
    bytes[0] = opcode.createWindow;
    bytes.writeUInt32LE(window, 4);
    bytes.writeUInt32LE(this.x.root, 8);
    bytes.writeUInt16LE(1, 16);
    bytes.writeUInt16LE(1, 18);
    bytes.writeUInt16LE(inputOnly, 22);
    await this.x.order(bytes);
    this.window = window;
    return window;
  }

  private encodeOwner(window: number): Buffer {
    const bytes = Buffer.alloc(16);
    bytes[0] = opcode.setSelectionOwner;
    bytes.writeUInt32LE(window, 4);
    bytes.writeUInt32LE(this.selection, 8);
    return bytes;
  }
}

function encodePlain(request: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes[0] = request;
  return bytes;
}
