import type { Env } from "../../../model/env.ts";
import type { XConnection } from "./connection.ts";
import { InputWatchdog } from "./input-watchdog.ts";
import type { KeyRow } from "./keymap.ts";
import { encodeUndo, type Leftovers, nothingToUndo, type Undo } from "./undo.ts";
import type { Xkb } from "./xkb.ts";
import { sendTogether, type XTest } from "./xtest.ts";

/** A person stopped everything during input; everything held was released. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(readonly done: string) {
    super("it was stopped");
  }
}

/** What one action holds or has changed. The watchdog learns of each change first, and it is undone last. */
export class Held {
  private watchdog: InputWatchdog | undefined;

  constructor(
    private readonly x: XConnection,
    private readonly xtest: XTest,
    private readonly xkb: Xkb | undefined,
    private readonly env: Env,
    /** Where a note is left for the next typing process; not for actions that only hold a button. */
    private readonly leftovers?: Leftovers,
    private undo: Undo = nothingToUndo,
  ) {}

  /** Makes a change with a known undo; nothing changes before the watchdog knows it. */
  async change(requests: readonly Buffer[], undo: Partial<Undo>): Promise<void> {
    const next = { ...this.undo, ...undo };
    const isKnown = this.watchdog !== undefined && JSON.stringify(next) === JSON.stringify(this.undo);
    this.undo = next;
    this.watchdog ??= InputWatchdog.start(this.env);
    if (!isKnown) await this.watchdog.keep(this.undo);
    const note = isKnown || this.leftovers === undefined ? [] : [this.leftovers.leave(this.undo)];
    await sendTogether(this.x, [...note, ...requests]);
  }

  /**
   * Restores the display. What this process can no longer do, the watchdog does. `rows` includes the rows in between,
   * so that applications reread the map only once.
   */
  async restore(rows: readonly KeyRow[] = []): Promise<void> {
    if (this.watchdog === undefined) return;
    const undo = this.undo.rows.length === 0 ? this.undo : { ...this.undo, rows };
    try {
      const note = this.leftovers === undefined ? [] : [this.leftovers.remove()];
      await sendTogether(this.x, [...encodeUndo(this.xtest, this.xkb, undo), ...note]);
    } catch (error) {
      // The watchdog needs the keyboard's turn, which ends with the connection.
      this.x.fail(error as Error);
      this.x.close();
      await this.watchdog.handOver();
      throw error;
    }
    await this.watchdog.dismiss();
  }
}
