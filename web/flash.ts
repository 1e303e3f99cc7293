/** How long a change stays highlighted. */
const flashMs = 1500;

/** Tracks which model versions are recent enough for their changes to be highlighted. */
export class Flashes {
  private times: { readonly version: number; readonly atMs: number }[] = [];
  /** The version of the last full state: nothing in it is a change. */
  private startedAt = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  note(version: number, isStart: boolean): void {
    if (isStart) this.startedAt = version;
    this.times = [...this.times.filter(({ atMs }) => this.isNew(atMs)), { version, atMs: this.clock() }];
  }

  isFlashing(version: number): boolean {
    if (version <= this.startedAt) return false;
    const { times } = this;
    return times.some((one) => one.version === version && this.isNew(one.atMs));
  }

  private isNew(atMs: number): boolean {
    return this.clock() - atMs < flashMs;
  }
}
