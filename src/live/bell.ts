/** Rung at every sign of change; heard once, however often it was rung. */
export class Bell {
  private firstAtMs: number | undefined;
  private lastAtMs = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", this.stir, { once: true });
  }

  ring(): void {
    this.lastAtMs = performance.now();
    this.firstAtMs ??= this.lastAtMs;
    this.stir();
  }

  /** What is rung from now on is another sign. */
  clear(): void {
    this.firstAtMs = undefined;
  }

  /** Whether it rings, or has not been heard yet, before the time is over. */
  async wait(forMs: number): Promise<boolean> {
    if (this.firstAtMs === undefined && forMs > 0) await this.pause(forMs);
    return this.firstAtMs !== undefined;
  }

  /** Waits until it has been silent for `quietMs`, but at most until `atMostMs` after the first sign. */
  async settle(quietMs: number, atMostMs: number): Promise<void> {
    while (!this.signal.aborted) {
      const untilMs = Math.min(this.lastAtMs + quietMs, (this.firstAtMs ?? this.lastAtMs) + atMostMs);
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return;
      await Bun.sleep(leftMs);
    }
  }

  close(): void {
    this.signal.removeEventListener("abort", this.stir);
    this.stir();
  }

  private readonly stir = (): void => {
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
