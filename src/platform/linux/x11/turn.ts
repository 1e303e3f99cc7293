import { setTimeout as pause } from "node:timers/promises";
import { createHiddenWindow } from "./client-requests.ts";
import type { XConnection } from "./connection.ts";
import { eventMask, setSelectionOwner } from "./wire.ts";
import { sendIf } from "./xtest.ts";

const lookAgainMs = 10;

/**
 * Only one process at a time may change the keyboard: two that remap keys would undo each other. The turn is the
 * ownership of a selection, which the server revokes when the process ends.
 */
export class KeyboardTurn {
  private window: number | undefined;
  private selection = 0;

  constructor(private readonly x: XConnection) {}

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
    await this.x.send(setSelectionOwner(0, this.selection));
  }

  private takeIfFree(window: number): Promise<boolean> {
    const isFree = async (): Promise<boolean> => (await this.x.getSelectionOwner(this.selection)) === 0;
    return sendIf(this.x, isFree, [setSelectionOwner(window, this.selection)]);
  }

  private async createWindow(): Promise<number> {
    const atoms = await this.x.internAtoms(["_DESKMAP_KEYBOARD"]);
    this.selection = atoms._DESKMAP_KEYBOARD;
    this.window = await createHiddenWindow(this.x, eventMask.none);
    return this.window;
  }
}
