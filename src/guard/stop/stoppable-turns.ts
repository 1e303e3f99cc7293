import { fail, type Result, succeed } from "../../model/failure.ts";
import type { Records } from "../records.ts";
import { forbidWhenStopped } from "../rules.ts";
import type { Holder, Turn, Turns } from "../turn.ts";

export interface Stopping {
  /** Makes sure that a process listens for the stop keys. */
  prepare(): Promise<Result<void>>;
  /** Called if a person stops everything while this process has the turn. */
  onStop(holder: Holder): void;
}

/** Turns that a person can take away: none is given during a stop, and the holder is told of one. */
export class StoppableTurns implements Turns {
  constructor(
    private readonly turns: Turns,
    private readonly records: Records,
    private readonly stopping: Stopping,
  ) {}

  async take(holder: Holder, timeoutMs: number): Promise<Result<Turn>> {
    const turn = await this.turns.take(holder, timeoutMs);
    if (!turn.ok) return turn;
    const { records, stopping } = this;
    const obey = (): void => {
      if (records.findStop() !== undefined) return stopping.onStop(holder);
      // Not a stop: this process ends as any other would.
      process.off("SIGTERM", obey);
      process.kill(process.pid, "SIGTERM");
    };
    process.on("SIGTERM", obey);
    const end = (): void => {
      process.off("SIGTERM", obey);
      turn.value.end();
    };
    // Checked after the turn is taken: a later stop finds this process as the holder.
    const stopped = forbidWhenStopped({ records });
    let isReady = false;
    try {
      const ready = stopped === undefined ? await stopping.prepare() : fail<void>(stopped);
      isReady = ready.ok;
      return ready.ok ? succeed({ ...turn.value, end }) : ready;
    } finally {
      if (!isReady) end();
    }
  }
}
