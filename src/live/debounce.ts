/** Collects change events: several in a row count as one. */
export class Debounce {
  private firstAtMs: number | undefined;
  private lastAtMs = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", this.wakeUp, { once: true });
  }

  trigger(): void {
    this.lastAtMs = performance.now();
    this.firstAtMs ??= this.lastAtMs;
    this.wakeUp();
  }

  /** Later events count as a new change. */
  reset(): void {
    this.firstAtMs = undefined;
  }

  /** Resolves to true if an event is pending or arrives in time. */
  async wait(forMs: number): Promise<boolean> {
    if (this.firstAtMs === undefined && forMs > 0) await this.pause(forMs);
    return this.firstAtMs !== undefined;
  }

  /** Waits until there was no event for `quietMs`, but at most `atMostMs` after the first. */
  async settle(quietMs: number, atMostMs: number): Promise<void> {
    while (!this.signal.aborted) {
      const untilMs = Math.min(this.lastAtMs + quietMs, (this.firstAtMs ?? this.lastAtMs) + atMostMs);
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return;
      await Bun.sleep(leftMs);
    }
  }

  close(): void {
    this.signal.removeEventListener("abort", this.wakeUp);
    this.wakeUp();
  }

  private readonly wakeUp = (): void => {
    this.wake?.();
  };

  private async pause(forMs: number): Promise<void> {
    if (this.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, forMs);
    this.wake = resolve;
    await promise;
    clearTimeout(timer);
    this.wake = undefined;
  }
}
