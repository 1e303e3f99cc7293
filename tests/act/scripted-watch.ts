import type { Crossing, Sign, Temper, Watch } from "../../src/sources/port.ts";

/** A watch of an in-memory desktop: the test decides when a change is reported. */
export class ScriptedWatch implements Watch {
  /** What a mirror would know about elements, by runtime id. */
  readonly tempers = new Map<string, Temper>();
  /** What is known if other input was delivered shortly before. */
  crossing: Crossing | undefined;
  /** How often a wait for a change timed out. */
  vain = 0;
  private untaken: Sign[] = [];
  private waiting: (() => void)[] = [];
  private lastAtMs = { all: Number.NEGATIVE_INFINITY, told: Number.NEGATIVE_INFINITY };

  show(source: Sign["source"], handle?: string): void {
    this.untaken.push({ source, handle });
    const now = performance.now();
    this.lastAtMs = { all: now, told: source === "pixels" ? this.lastAtMs.told : now };
    for (const wake of this.waiting.splice(0)) wake();
  }

  take(): readonly Sign[] {
    return this.untaken.splice(0);
  }

  async waitForSign(timeoutMs: number): Promise<Sign | undefined> {
    if (this.untaken.length === 0) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
        setTimeout(resolve, timeoutMs);
      });
    }
    if (this.untaken.length === 0) this.vain += 1;
    return this.untaken[0];
  }

  async waitForStillness(quietMs: number, timeoutMs: number, counted: "all" | "told" = "all"): Promise<boolean> {
    // Measured from the call, as everywhere: on a busy machine the last sign may be old and the next one overdue.
    const startedAtMs = performance.now();
    const deadline = startedAtMs + timeoutMs;
    for (;;) {
      const restMs = Math.max(startedAtMs, this.lastAtMs[counted]) + quietMs - performance.now();
      if (restMs <= 0) break;
      if (performance.now() > deadline) return false;
      // One timer for the whole rest: timers of the test that are due earlier run before it, however late all of them are.
      await Bun.sleep(Math.max(1, Math.min(restMs, deadline - performance.now())));
    }
    return true;
  }

  findTemper(id: string): Temper | undefined {
    return this.tempers.get(id);
  }

  findCrossing(): Crossing | undefined {
    return this.crossing;
  }

  close(): void {
    // No resources to release.
  }
}
