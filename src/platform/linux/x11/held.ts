import type { XConnection } from "./connection.ts";
import { InputWatchdog } from "./input-watchdog.ts";
import { encodeUndo, nothingToUndo, type Undo } from "./undo.ts";
import type { Xkb } from "./xkb.ts";
import { orderTogether, type XTest } from "./xtest.ts";

/** What one deed holds and has changed. Each change is told to the watchdog first, and undone last. */
export class Held {
  private undo: Undo = nothingToUndo;
  private watchdog: InputWatchdog | undefined;

  constructor(
    private readonly x: XConnection,
    private readonly xtest: XTest,
    private readonly xkb: Xkb | undefined,
    private readonly env: Readonly<Record<string, string | undefined>>,
  ) {}

  /** Makes a change whose undoing is known; nothing is changed before the watchdog knows it too. */
  async change(requests: readonly Buffer[], undo: Partial<Undo>): Promise<void> {
    this.undo = { ...this.undo, ...undo };
    this.watchdog ??= InputWatchdog.start(this.env);
    await this.watchdog.keep(this.undo);
    await orderTogether(this.x, requests);
  }

  /** Leaves the display as it was found. What this process can no longer do, the watchdog does. */
  async restore(): Promise<void> {
    if (this.watchdog === undefined) return;
    try {
      await orderTogether(this.x, encodeUndo(this.xtest, this.xkb, this.undo));
    } catch (error) {
      await this.watchdog.handOver();
      throw error;
    }
    await this.watchdog.dismiss();
  }
}
