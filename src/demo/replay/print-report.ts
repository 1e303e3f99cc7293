import type { Result } from "../../model/failure.ts";
import type { Demo } from "../file.ts";
import { type Cell, escapeMarkup, makePage, makeTable, pageStart } from "../html.ts";
import { writePrivate } from "../store.ts";
import type { ReplayReport, StepOutcome, Stop } from "./report.ts";

export const reportFormats = ["junit", "html", "json"] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** How a report begins: only such a file is replaced by another. */
export const reportStarts: Readonly<Record<ReportFormat, string>> = {
  junit: '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name=',
  html: pageStart,
  json: '{\n "demo": ',
};

type Run = ReplayReport & { readonly row?: number | undefined };

export function writeReport(format: ReportFormat, file: string, demo: Demo, runs: readonly Run[]): Result<string> {
  return writePrivate(file, printReport(format, demo, runs));
}

export function printReport(format: ReportFormat, demo: Demo, runs: readonly Run[]): string {
  switch (format) {
    case "json":
      return `${JSON.stringify({ demo: demo.name, runs }, undefined, 1)}\n`;
    case "junit":
      return printJunit(demo, runs);
    case "html":
      return printPage(demo, runs);
  }
}

function nameRun({ demo, row }: Run): string {
  return row === undefined ? demo : `${demo}, row ${row}`;
}

/** A suite for each run, a case for each step; steps that were not reached are skipped. */
function printJunit(demo: Demo, runs: readonly Run[]): string {
  const suites = runs.map((run) => {
    const reached = new Set(run.steps.map(({ n }) => n));
    const left = listSteps(run).filter((n) => !reached.has(n));
    const cases = [
      ...run.steps.map((step) => printCase(run, step)),
      ...left.map(
        (n) =>
          `    <testcase name="step ${n}" classname="${escapeMarkup(nameRun(run))}" time="0"><skipped/></testcase>`,
      ),
    ];
    const skipped = left.length + run.steps.filter(({ state }) => state === "skipped").length;
    const counts = `tests="${cases.length}" failures="${run.stop === undefined ? 0 : 1}" errors="0" skipped="${skipped}"`;
    const name = escapeMarkup(nameRun(run));
    return `  <testsuite name="${name}" ${counts} time="${run.tookMs / 1000}">\n${cases.join("\n")}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeMarkup(demo.name)}">\n${suites.join("\n")}\n</testsuites>\n`;
}

function listSteps({ from, to }: Run): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function printCase(run: Run, { n, words, state, tookMs }: StepOutcome): string {
  const head = `    <testcase name="${escapeMarkup(`step ${n}: ${words}`)}" classname="${escapeMarkup(nameRun(run))}" time="${tookMs / 1000}"`;
  if (state === "skipped") return `${head}><skipped/></testcase>`;
  if (state !== "stopped" || run.stop === undefined) return `${head}/>`;
  const { failure } = run.stop;
  return `${head}>\n      <failure type="${failure.code}" message="${escapeMarkup(failure.message)}">${escapeMarkup(explain(run.stop))}</failure>\n    </testcase>`;
}

function explain({ failure }: Stop): string {
  const { message, nearest = [], done, suggestion = "" } = failure;
  return [message, ...nearest.map((one) => `there is: ${one}`), done, suggestion]
    .filter((line) => line !== "")
    .join("\n");
}

function printPage(demo: Demo, runs: readonly Run[]): string {
  const parts = runs.map((run) => {
    const rows = run.steps.map(({ n, words, state, verdict, tookMs, notes }) => [
      ...[String(n), words, verdict ?? state, `${tookMs} ms`, notes.join("; ")],
    ]);
    const stop = run.stop === undefined ? "" : `<pre>${escapeMarkup(explain(run.stop))}</pre>`;
    const head = `<h2>${escapeMarkup(nameRun(run))}: ${run.stop === undefined ? "done" : `stopped at step ${run.stop.n}`}</h2>`;
    return `${head}\n${makeTable(["step", "what", "result", "time", "notes"], rows)}\n${stop}\n${showPictures(run.stop)}\n${showTree(run.stop)}`;
  });
  return makePage(`Replay of ${demo.name}`, parts.join("\n"));
}

function showPictures(stop: Stop | undefined): string {
  const { recorded, now } = stop?.pictures ?? {};
  const show = (png: string | undefined, says: string): string | Cell =>
    png === undefined ? "no picture" : { address: `data:image/png;base64,${png}`, says };
  if (recorded === undefined && now === undefined) return "";
  const cells = [show(recorded, "before the recorded step"), show(now, "the window at the stop")];
  return makeTable(["recorded", "at the stop"], [cells]);
}

function showTree(stop: Stop | undefined): string {
  if (stop?.tree === undefined) return "";
  return `<h3>The window at the stop</h3>\n<pre>${escapeMarkup(stop.tree.join("\n"))}</pre>`;
}
