import type { PersonInput } from "../model/person-input.ts";
import type { Seen } from "./moment.ts";

/** Inputs in their order, with a look at the next one. */
export class Inputs {
  private readonly waiting: Seen[] = [];
  private wake = Promise.withResolvers<void>();
  private hasEnded = false;
  private lastPressMs: number | undefined;

  add(seen: Seen): void {
    const { kind, atMs } = seen.input;
    this.waiting.push({ ...seen, afterPressMs: this.lastPressMs });
    if (kind === "press" || kind === "key") this.lastPressMs = atMs;
    this.notify();
  }

  /** What was added is still taken. */
  end(): void {
    this.hasEnded = true;
    this.notify();
  }

  /** The next input; undefined at the end. */
  async take(): Promise<Seen | undefined> {
    await this.waitForNext();
    return this.waiting.shift();
  }

  /** The next input, which stays; undefined at the end, or if none comes in time. */
  async next(withinMs?: number): Promise<Seen | undefined> {
    await this.waitForNext(withinMs);
    return this.waiting[0];
  }

  /** Takes the first input of a kind, before others. */
  async takeFirst(isMeant: (input: PersonInput) => boolean): Promise<Seen | undefined> {
    for (;;) {
      const at = this.waiting.findIndex(({ input }) => isMeant(input));
      if (at >= 0) return this.waiting.splice(at, 1)[0];
      if (this.hasEnded) return undefined;
      await this.waitForMore();
    }
  }

  /** Whether an input of a kind is waiting. */
  has(isMeant: (input: PersonInput) => boolean): boolean {
    return this.waiting.some(({ input }) => isMeant(input));
  }

  /** The inputs that are waiting. */
  list(): readonly Seen[] {
    return this.waiting;
  }

  drop(): void {
    this.waiting.shift();
  }

  /** Whether the listening has ended, or there is another input. */
  get isMoreKnown(): boolean {
    return this.hasEnded || this.waiting.length > 0;
  }

  private async waitForNext(withinMs?: number): Promise<void> {
    const untilMs = performance.now() + (withinMs ?? Number.POSITIVE_INFINITY);
    while (this.waiting.length === 0 && !this.hasEnded && performance.now() < untilMs) {
      await this.waitForMore(withinMs === undefined ? undefined : untilMs - performance.now());
    }
  }

  private async waitForMore(withinMs?: number): Promise<void> {
    const timer = withinMs === undefined ? undefined : setTimeout(() => this.notify(), Math.max(1, withinMs));
    await this.wake.promise;
    clearTimeout(timer);
  }

  private notify(): void {
    const { resolve } = this.wake;
    this.wake = Promise.withResolvers();
    resolve();
  }
}
