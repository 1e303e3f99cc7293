import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DriftKind } from "./demo.ts";
import type { Fate } from "./judge.ts";
import type { Recorded } from "./record.ts";
import type { Outcome, Replayer } from "./replay.ts";
import type { Pace } from "./robot.ts";

export interface RecordLine {
  readonly of: "record";
  readonly demo: string;
  readonly pace: Pace;
  readonly recorded: Recorded;
}

export interface ReplayLine {
  readonly of: "replay";
  readonly demo: string;
  readonly replayer: Replayer;
  readonly drift?: DriftKind | undefined;
  readonly seed: number;
  readonly outcome: Outcome;
  readonly story: string;
  readonly tookMs: number;
  readonly clicksMs: readonly number[];
}

/** What could not be tried, such as an application that did not start: no result of anybody. */
interface BrokenLine {
  readonly of: "broken";
  readonly what: string;
  readonly why: string;
}

interface CostLine {
  readonly of: "cost";
  readonly told: string;
}

type Line = RecordLine | ReplayLine | BrokenLine | CostLine;

/** The results so far, in a folder that a later run continues. */
export class ResultLog {
  readonly lines: Line[];
  private readonly file: string;

  constructor(readonly folder: string = mkdtempSync(join(tmpdir(), "deskmap-demo-results-"))) {
    mkdirSync(folder, { recursive: true });
    this.file = join(folder, "results.jsonl");
    const text = existsSync(this.file) ? readFileSync(this.file, "utf8") : "";
    this.lines = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line): Line => JSON.parse(line));
  }

  add(line: Line): void {
    this.lines.push(line);
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  get records(): readonly RecordLine[] {
    return this.lines.filter((line) => line.of === "record");
  }

  get replays(): readonly ReplayLine[] {
    return this.lines.filter((line) => line.of === "replay");
  }

  get broken(): readonly BrokenLine[] {
    return this.lines.filter((line) => line.of === "broken");
  }

  get costs(): readonly string[] {
    return this.lines.flatMap((line) => (line.of === "cost" ? [line.told] : []));
  }

  findRecord(demo: string, pace: Pace): RecordLine | undefined {
    return this.records.find((line) => line.demo === demo && line.pace === pace);
  }

  hasReplay(demo: string, replayer: Replayer, drift: DriftKind | undefined): boolean {
    return this.replays.some((line) => line.demo === demo && line.replayer === replayer && line.drift === drift);
  }
}

export function countFates(lines: readonly RecordLine[], fate: Fate): number {
  return lines.reduce((sum, { recorded }) => sum + recorded.verdict.steps.filter((one) => one.fate === fate).length, 0);
}
