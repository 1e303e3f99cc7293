/** What Bun's `send` gives where a message waits to be taken. */
const waits = -1;

/** Whoever tells much waits until the other side has taken it. */
export class BackPressure {
  private full: PromiseWithResolvers<void> | undefined;

  /** Keeps in mind what became of a message. */
  note(sent: number | undefined): void {
    // The same for all who wait: one that is replaced would never be resolved.
    if (sent === waits) this.full ??= Promise.withResolvers();
  }

  /** Until everything was taken. */
  wait(): Promise<void> {
    return this.full?.promise ?? Promise.resolve();
  }

  release(): void {
    this.full?.resolve();
    this.full = undefined;
  }
}
