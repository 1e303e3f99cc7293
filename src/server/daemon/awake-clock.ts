/** Monotonic time without suspensions: clients could do nothing while the machine or this process was suspended. */
export class AwakeClock {
  private awakeMs = 0;
  private lastMs: number;

  /** Must be read at least every `stepMs`: a longer gap counts as a suspension. */
  constructor(
    private readonly stepMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.lastMs = now();
  }

  read(): number {
    const nowMs = this.now();
    this.awakeMs += Math.min(nowMs - this.lastMs, this.stepMs);
    this.lastMs = nowMs;
    return this.awakeMs;
  }
}
