/** How long a change is seen. */
const flashMs = 1500;

/** Which versions of the model are so new that what changed in them is to be seen. */
export class Flashes {
  private times: { readonly version: number; readonly atMs: number }[] = [];
  /** What came with this version was there all along. */
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
