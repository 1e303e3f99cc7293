import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { judgeTimeline, type Moment } from "./judge.ts";
import { makeReport, type Report } from "./report.ts";

const observer = join(import.meta.dir, "observer.py");
const root = join(import.meta.dir, "../..");

/** Compares what Deskmap says of its actions on a private desktop with what an independent observer sees there. */
export interface Referee {
  /** What it would say now, while it still observes. */
  preview(): Report;
  /** Ends the observation. For a test that plants a false verdict: it is not counted, and fails nothing. */
  judge(): Promise<Report>;
  /** Ends the observation, and throws if a verdict was false. */
  close(): Promise<void>;
}

/** Nothing in the observer's environment names the desktop, so that it is not taken for a part of it. */
export function startReferee({ DISPLAY, XAUTHORITY, PATH, XDG_STATE_HOME = "" }: NodeJS.ProcessEnv): Referee {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-referee-"));
  const timeline = join(folder, "timeline.jsonl");
  const audit = join(XDG_STATE_HOME, "deskmap/audit.jsonl");
  const child = spawn("/usr/bin/python3", ["-B", observer, audit, timeline], {
    env: { DISPLAY, XAUTHORITY, PATH },
    stdio: ["pipe", "ignore", "pipe"],
  });
  const complaints: string[] = [];
  child.stderr.on("data", (text) => complaints.push(String(text)));
  const closed = once(child, "close");
  let isJudged = false;

  function preview(): Report {
    // The last line may not be whole yet.
    const lines = readFileSync(timeline, "utf8").split("\n").slice(0, -1);
    return makeReport(judgeTimeline(lines.map((line): Moment => JSON.parse(line))));
  }

  async function judge(): Promise<Report> {
    isJudged = true;
    child.stdin.end();
    const [code] = await closed;
    keepTimeline(timeline);
    try {
      if (code !== 0) throw new Error(`the referee's observer ended with ${code}: ${complaints.join("")}`);
      return preview();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  return {
    preview,
    judge,
    async close() {
      if (isJudged) return;
      const report = await judge();
      keepReport(report);
      if (report.accused.length > 0) throw new Error(report.accused.join("\n"));
    },
  };
}

/** The runner of the tests adds up what it finds in this folder. */
function keepReport(report: Report): void {
  const { DESKMAP_REFEREE: folder } = process.env;
  if (folder === undefined) return;
  const kept = { file: relative(root, Bun.main), ...report };
  writeFileSync(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(kept));
}

/** For those who doubt it. */
function keepTimeline(timeline: string): void {
  const { DESKMAP_TIMELINES: folder } = process.env;
  if (folder !== undefined) copyFileSync(timeline, join(folder, `${crypto.randomUUID()}.jsonl`));
}
