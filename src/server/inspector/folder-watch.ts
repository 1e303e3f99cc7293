import { type FSWatcher, watch } from "node:fs";

/** What happens within this time is looked at once. */
const restMs = 50;
/** What no watch tells: a lock that was let go of, a time that is over, a folder that was not there yet. */
const lookAgainMs = 1000;

/** Waits until something in some folders is different, or a moment has passed. */
export class FolderWatch {
  private readonly watches = new Map<string, FSWatcher>();
  private wake = Promise.withResolvers<void>();
  private isStirred = false;

  constructor(
    private readonly folders: readonly string[],
    private readonly signal: AbortSignal,
    private readonly slowMs = lookAgainMs,
  ) {
    signal.addEventListener("abort", () => this.close(), { once: true });
    if (signal.aborted) this.close();
    else this.watchAll();
  }

  async next(): Promise<void> {
    if (this.signal.aborted) return;
    this.watchAll();
    if (!this.isStirred) await this.rest(this.slowMs);
    if (!this.isStirred || this.signal.aborted) return;
    await Bun.sleep(restMs);
    this.isStirred = false;
    this.wake = Promise.withResolvers();
  }

  private async rest(ms: number): Promise<void> {
    const timer = setTimeout(() => this.wake.resolve(), ms);
    await this.wake.promise;
    clearTimeout(timer);
    this.wake = Promise.withResolvers();
  }

  /** A folder that is not there, or was replaced, is tried again later. */
  private watchAll(): void {
    for (const folder of this.folders) {
      if (this.watches.has(folder)) continue;
      try {
        const own = watch(folder, { persistent: false }, (kind, name) => {
          // The folder itself has gone: what comes in its place is another.
          if (kind === "rename" && name === null) this.drop(folder);
          this.stir();
        });
        own.on("error", () => this.drop(folder));
        this.watches.set(folder, own);
      } catch {
        // It may come.
      }
    }
  }

  private stir(): void {
    this.isStirred = true;
    this.wake.resolve();
  }

  private drop(folder: string): void {
    this.watches.get(folder)?.close();
    this.watches.delete(folder);
  }

  private close(): void {
    for (const folder of [...this.watches.keys()]) this.drop(folder);
    this.wake.resolve();
  }
}
