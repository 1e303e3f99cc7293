/**
 * How long this process has been awake. A clock that somebody sets does not move it, and a stop of minutes (a suspended process
 * or machine) counts as a moment: what others did not do meanwhile they could not do.
 */
export class AwakeClock {
  private awakeMs = 0;
  private lastMs: number;

  /** It is read at least every `stepMs`; a longer pause was a stop. */
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
