import type { HeldTurn } from "../../host/port.ts";
import { fail, type Result } from "../../model/failure.ts";
import { describeCancelled } from "../../model/unfinished.ts";
import type { EnteredHost } from "./open-hosts.ts";

/** The turns that clients of one desk hold. Whoever holds one is not idle: its host stays open until the turn is over. */
export class DeskTurns {
  private readonly held = new Map<string, () => void>();

  /** `entered` is left when the turn is over, or was not got. */
  async begin(
    { host, leave }: EnteredHost,
    forMs: number,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Result<HeldTurn>> {
    let begun: Result<HeldTurn> | undefined;
    try {
      begun = await host.begin(forMs, { waitMs });
      if (!begun.ok || !signal.aborted) return begun;
      // Whoever has gone while it waited would never learn of it.
      await host.end(begun.value.turn);
      begun = undefined;
      return fail(describeCancelled());
    } finally {
      if (begun?.ok === true) this.keep(begun.value.turn, forMs, leave);
      else leave();
    }
  }

  async end({ host, leave }: EnteredHost, turn: string): Promise<Result<void>> {
    try {
      return await host.end(turn);
    } finally {
      this.held.get(turn)?.();
      leave();
    }
  }

  private keep(turn: string, forMs: number, leave: () => void): void {
    const forget = (): void => {
      clearTimeout(timer);
      if (this.held.delete(turn)) leave();
    };
    const timer = setTimeout(forget, forMs);
    timer.unref();
    this.held.set(turn, forget);
  }
}
