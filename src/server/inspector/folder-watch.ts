import { type FSWatcher, watch } from "node:fs";

/** Changes within this time count as one. */
const restMs = 50;
/** Polling, for what file events do not report: a released lock, an expired time, a folder that did not exist. */
const pollMs = 1000;

/** Waits for a change in some folders, at most a second. */
export class FolderWatch {
  private readonly watches = new Map<string, FSWatcher>();
  private wake = Promise.withResolvers<void>();
  private isChanged = false;

  constructor(
    private readonly folders: readonly string[],
    private readonly signal: AbortSignal,
    private readonly slowMs = pollMs,
  ) {
    signal.addEventListener("abort", () => this.close(), { once: true });
    if (signal.aborted) this.close();
    else this.watchAll();
  }

  async next(): Promise<void> {
    if (this.signal.aborted) return;
    this.watchAll();
    if (!this.isChanged) await this.rest(this.slowMs);
    if (!this.isChanged || this.signal.aborted) return;
    await Bun.sleep(restMs);
    this.isChanged = false;
    this.wake = Promise.withResolvers();
  }

  private async rest(ms: number): Promise<void> {
    const timer = setTimeout(() => this.wake.resolve(), ms);
    await this.wake.promise;
    clearTimeout(timer);
    this.wake = Promise.withResolvers();
  }

  /** A folder that does not exist, or was replaced, is tried again with every call. */
  private watchAll(): void {
    for (const folder of this.folders) {
      if (this.watches.has(folder)) continue;
      try {
        const own = watch(folder, { persistent: false }, (kind, name) => {
          // The folder itself is gone; a new one in its place needs a new watch.
          if (kind === "rename" && name === null) this.drop(folder);
          this.note();
        });
        own.on("error", () => this.drop(folder));
        this.watches.set(folder, own);
      } catch {
        // It may be created later.
      }
    }
  }

  private note(): void {
    this.isChanged = true;
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
