import { fail, type Result, succeed } from "../../model/failure.ts";
import type { Records } from "../records.ts";
import { forbidWhenStopped } from "../rules.ts";
import type { Holder, Turn, Turns } from "../turn.ts";

export interface Stopping {
  /** Makes sure that the keys that stop everything are listened for. */
  prepare(): Promise<Result<void>>;
  /** A person has stopped everything while this process had the turn. */
  onStop(holder: Holder): void;
}

/** Turns that a person can take away: none is given while everything is stopped, and who has one is told. */
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
      // Somebody else's query: this process ends like every other.
      process.off("SIGTERM", obey);
      process.kill(process.pid, "SIGTERM");
    };
    process.on("SIGTERM", obey);
    const end = (): void => {
      process.off("SIGTERM", obey);
      turn.value.end();
    };
    // After the turn was taken: whoever stops everything later finds this process as its holder.
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
