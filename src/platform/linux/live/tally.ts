import type { MirrorFigures } from "../../port.ts";

/** How a mirror keeps up, counted. */
export class Tally {
  events = 0;
  partReads = 0;
  wholeReads = 0;
  private readonly reasons: Record<string, number> = {};

  countWhole(reason: string): void {
    this.wholeReads += 1;
    this.reasons[reason] = (this.reasons[reason] ?? 0) + 1;
  }

  figures(followedApplications: number): MirrorFigures {
    const { events, partReads, wholeReads } = this;
    return { followedApplications, events, partReads, wholeReads, wholeReadReasons: { ...this.reasons } };
  }
}
