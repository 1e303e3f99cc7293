import type { Sign } from "../../sources/port.ts";

/** Events that were not taken yet, without duplicates. */
export class Signs {
  private untaken = new Map<string, Sign>();
  private lastAtMs = Number.NEGATIVE_INFINITY;
  private lastToldAtMs = Number.NEGATIVE_INFINITY;
  private readonly wakers = new Set<() => void>();
  private hasEnded = false;

  add(source: Sign["source"], handle: string | undefined): void {
    if (source !== "view") this.lastAtMs = performance.now();
    if (source !== "pixels" && source !== "view") this.lastToldAtMs = this.lastAtMs;
    const key = `${source} ${handle ?? ""}`;
    if (!this.untaken.has(key)) this.untaken.set(key, { source, handle });
    this.wake();
  }

  take(): readonly Sign[] {
    const taken = [...this.untaken.values()];
    this.untaken = new Map();
    return taken;
  }

  async waitForSign(timeoutMs: number): Promise<Sign | undefined> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const [first] = this.untaken.values();
      const leftMs = deadline - performance.now();
      if (first !== undefined || this.hasEnded || leftMs <= 0) return first;
      await this.pause(leftMs);
    }
  }

  /** Quiet is measured from the call: earlier quiet says nothing about the last action. */
  async waitForStillness(quietMs: number, timeoutMs: number, counted: "all" | "told" = "all"): Promise<boolean> {
    const startedAtMs = performance.now();
    for (;;) {
      const nowMs = performance.now();
      const lastAtMs = counted === "all" ? this.lastAtMs : this.lastToldAtMs;
      const quietAtMs = Math.max(startedAtMs, lastAtMs) + quietMs;
      if (nowMs >= quietAtMs || this.hasEnded) return true;
      const leftMs = startedAtMs + timeoutMs - nowMs;
      if (leftMs <= 0) return false;
      await new Promise((resolve) => setTimeout(resolve, Math.min(quietAtMs - nowMs, leftMs)));
    }
  }

  /** Wakes all waiters. */
  end(): void {
    this.hasEnded = true;
    this.wake();
  }

  private wake(): void {
    for (const waker of this.wakers) waker();
    this.wakers.clear();
  }

  private async pause(forMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const waker = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.wakers.delete(waker);
        resolve();
      }, forMs);
      this.wakers.add(waker);
    });
  }
}
