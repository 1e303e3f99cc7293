import type { MirrorFigures } from "../../port.ts";

export class Tally {
  events = 0;
  partReads = 0;
  surveys = 0;
  questions = 0;
  wholeReads = 0;
  private readonly reasons: Record<string, number> = {};

  countWhole(reason: string): void {
    this.wholeReads += 1;
    this.reasons[reason] = (this.reasons[reason] ?? 0) + 1;
  }

  figures(followedApplications: number): MirrorFigures {
    const { events, partReads, surveys, wholeReads, questions } = this;
    const wholeReadReasons = { ...this.reasons };
    return { followedApplications, events, partReads, surveys, wholeReads, wholeReadReasons, questions };
  }
}
