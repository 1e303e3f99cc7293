/** Since when something was reported that is not in the kept tree yet, by the wall clock. */
export class Unread {
  private reportedMs = Number.POSITIVE_INFINITY;
  private readingMs = Number.POSITIVE_INFINITY;

  note(): void {
    this.reportedMs = Math.min(this.reportedMs, Date.now());
  }

  beginReading(): void {
    this.readingMs = this.reportedMs;
    this.reportedMs = Number.POSITIVE_INFINITY;
  }

  endReading(): void {
    this.readingMs = Number.POSITIVE_INFINITY;
  }

  /** Infinite if everything is read. */
  get sinceMs(): number {
    return Math.min(this.readingMs, this.reportedMs);
  }
}
