import type { XConnection } from "./connection.ts";

/** Queues matching events from its creation on, so that none is lost between two waits. */
export class EventQueue {
  private readonly events: Buffer[] = [];
  private wake: (() => void) | undefined;
  private readonly stop: () => void;

  constructor(x: XConnection, isFitting: (event: Buffer) => boolean) {
    this.stop = x.listen((event) => {
      if (!isFitting(event)) return;
      this.events.push(event);
      this.wake?.();
    });
  }

  /** The oldest event not yet taken; undefined if none came before the deadline. */
  async next(deadline: number): Promise<Buffer | undefined> {
    while (this.events.length === 0) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.events.shift();
  }

  close(): void {
    this.stop();
  }
}
