/** Runs a task on request, never concurrently: requests during a run cause one more run. */
export class SerialTask {
  private timer: Timer | undefined;
  private immediate: ReturnType<typeof setImmediate> | undefined;
  private dueAtMs = Number.POSITIVE_INFINITY;
  private running: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Runs within `afterMs`, or earlier if requested earlier. */
  request(afterMs = 0): void {
    this.dueAtMs = Math.min(this.dueAtMs, performance.now() + afterMs);
    this.plan();
  }

  /** Runs not before `afterMs`, even if requested earlier. */
  postpone(afterMs: number): void {
    this.dueAtMs = performance.now() + afterMs;
    this.plan();
  }

  /** Resolves after a run that starts now or later. */
  async runNow(): Promise<void> {
    await this.running;
    if (!this.isClosed) await this.run();
  }

  close(): void {
    this.isClosed = true;
    this.drop();
  }

  private plan(): void {
    this.drop();
    if (this.isClosed || this.running !== undefined || this.dueAtMs === Number.POSITIVE_INFINITY) return;
    const waitMs = this.dueAtMs - performance.now();
    // The shortest timer takes a millisecond or more, which adds up under a moving pointer.
    if (waitMs <= 0) this.immediate = setImmediate(() => void this.run());
    else this.timer = setTimeout(() => void this.run(), waitMs);
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private run(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    // Requests made during a run belong to the next one.
    if (this.running !== undefined) return this.running;
    this.drop();
    this.dueAtMs = Number.POSITIVE_INFINITY;
    this.running = this.work().finally(() => {
      this.running = undefined;
      this.plan();
    });
    return this.running;
  }
}
