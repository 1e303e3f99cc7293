/** Which questions were answered: as long as they could be asked, and no longer. */
export class Answered {
  private readonly untilMs = new Map<string, number>();

  get size(): number {
    return this.untilMs.size;
  }

  add(nonce: string, untilMs: number, nowMs = Date.now()): void {
    for (const [other, endMs] of this.untilMs) if (endMs <= nowMs) this.untilMs.delete(other);
    this.untilMs.set(nonce, untilMs);
  }

  has(nonce: string): boolean {
    return this.untilMs.has(nonce);
  }
}
