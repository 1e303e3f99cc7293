/** Does a thing when it is asked for, never twice at once: whoever asks meanwhile gets one more round. */
export class Rounds {
  private timer: Timer | undefined;
  private immediate: ReturnType<typeof setImmediate> | undefined;
  private dueAtMs = Number.POSITIVE_INFINITY;
  private running: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Within `afterMs`; sooner where somebody has asked for it sooner. */
  ask(afterMs = 0): void {
    this.dueAtMs = Math.min(this.dueAtMs, performance.now() + afterMs);
    this.plan();
  }

  /** Not before `afterMs` are over, whoever has asked for it sooner. */
  putOff(afterMs: number): void {
    this.dueAtMs = performance.now() + afterMs;
    this.plan();
  }

  /** A round that begins now or later, to its end. */
  async finish(): Promise<void> {
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
    // The shortest timer takes a millisecond or more, and several such rounds follow each other under a moving pointer.
    if (waitMs <= 0) this.immediate = setImmediate(() => void this.run());
    else this.timer = setTimeout(() => void this.run(), waitMs);
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearImmediate(this.immediate);
  }

  private run(): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    // What is asked for while it runs is not for this round, and must not be forgotten with it.
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
