import { resolve } from "node:path";
import type { Demo } from "../../demo/file.ts";
import { parseParams, parseParamsFile } from "../../demo/given-values.ts";
import { keepProposals } from "../../demo/heal.ts";
import { chooseValues, type Values } from "../../demo/parameters.ts";
import { readBounded } from "../../demo/read.ts";
import { makeArchive } from "../../demo/replay/archive.ts";
import { type ReportFormat, reportFormats, reportStarts, writeReport } from "../../demo/replay/print-report.ts";
import { type ReplayOptions, replay as replayDemo } from "../../demo/replay/replay.ts";
import type { StepOutcome } from "../../demo/replay/report.ts";
import { type Row, RowLog, readRows } from "../../demo/replay/rows.ts";
import { zipStart } from "../../demo/replay/zip.ts";
import { writePrivate } from "../../demo/store.ts";
import type { Host } from "../../host/port.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { cleanLine, quoteArgument } from "../../model/plain-text.ts";
import { folders } from "../../os/index.ts";
import { defineAnswer } from "../define.ts";
import { isTerminal } from "../output.ts";
import { findOutputFile, refuseOwnPlace } from "../output-file.ts";
import { cancelOnInterrupt } from "../tell.ts";
import { askAtTerminal, tell } from "./ask.ts";
import { findPictures, openStore, readDemo, withHost } from "./open.ts";
import { doneBefore, type Run, type Runs, runsForms, runsOutput, showRuns } from "./replay-forms.ts";

interface Flags {
  readonly param?: readonly string[];
  readonly params?: string;
  readonly each?: string;
  readonly from?: string;
  readonly to?: string;
  readonly step?: boolean;
  readonly dryRun?: boolean;
  readonly heal?: boolean;
  readonly speed?: string;
  readonly allowCoordinates?: boolean | string;
  readonly allowDoubtful?: boolean;
  readonly timeout?: string;
  readonly report?: readonly string[];
  readonly archive?: string;
}

export const replay = defineAnswer({
  name: "replay",
  summary: "Run a demo again: each step waited for, found, done, and its effect compared with the recorded one.",
  description:
    "Each step waits for what it needs, finds its control by the recorded ref, acts through the ordinary tools and compares " +
    "the effect with the recorded one. At the first doubt it stops: it says what was sought, what is there instead, what was " +
    "done, and how to go on. What is sensitive is asked again.",
  words: [["<demo>", "the name of a demo, or the path of its file"]],
  options: [
    ["--param <name=value...>", "the value of a parameter; without it, the recorded one"],
    ["--params <file>", "values of parameters as a JSON object"],
    [
      "--each <rows.csv>",
      "once for each row; the first line names the parameters. A second call goes on after the last row",
    ],
    ["--from <n>", "begin with this step"],
    ["--to <n>", "end after this step"],
    ["--step", "ask before each step, at the terminal"],
    ["--dry-run", "only tell what would be done to what"],
    [
      "--heal",
      "propose new refs for controls that are found otherwise than recorded; deskmap demo heal accept takes them",
    ],
    ["--speed <recorded|fast>", "keep the recorded distance in time, or go on as soon as possible (fast)"],
    [
      "--allow-coordinates [unseen]",
      "also steps that have nothing but a place on the screen, where that looks as it did; unseen: also where no picture tells",
    ],
    ["--allow-doubtful", "also steps that were recorded with a doubt; with --step, your answer to each is enough"],
    ["--timeout <ms>", "how long each step waits for what it needs (10000)"],
    ["--report <format file...>", "write a report: junit, html or json, and the file"],
    ["--archive <file.zip>", "if it stops: a page, the steps, pictures, the tree and the log in one file for others"],
  ],
  notes: `Exit codes: 0 done, 1 stopped before a step, 2 wrong usage, 3 refused by the guard, 4 a step went otherwise than recorded.
With --each, what was done is written beside the table; a row that may have had an effect is never repeated.`,
  examples: [
    "deskmap replay invoice --param customer=Ada",
    "deskmap replay invoice --each customers.csv --report junit report.xml",
    "deskmap replay invoice --dry-run",
    "deskmap replay invoice --from 4",
  ],
  output: runsOutput,
  forms: runsForms,
  encloses: () => true,
  run: (flags: Flags, [name = ""]) => run(name, flags),
});

async function run(name: string, flags: Flags): Promise<Result<Runs>> {
  const demo = readDemo(name);
  if (!demo.ok) return demo;
  const options = readOptions(demo.value, flags);
  if (!options.ok) return options;
  const report = readReport(flags.report);
  if (!report.ok) return report;
  const archive =
    flags.archive === undefined
      ? succeed(undefined)
      : findOutputFile("--archive", flags.archive, { what: "an archive", start: zipStart });
  if (!archive.ok) return archive;
  const table = flags.each === undefined ? undefined : resolve(folders.working(), flags.each);
  const log = table === undefined ? undefined : new RowLog(`${table}.${demo.value.name}.log`);
  const misplaced = refuseOwnPlaces("--each", table, log?.file) ?? refuseOwnPlaces("--params", flags.params);
  if (misplaced !== undefined) return fail(misplaced);
  const given = readGiven(flags, Object.keys(demo.value.parameters));
  if (!given.ok) return given;
  const rows = table === undefined ? succeed(undefined) : readRows(table);
  if (!rows.ok) return rows;
  const { from, to } = options.value;
  const steps = demo.value.steps.slice((from ?? 1) - 1, to);
  // Wrong values of a late row are known before the first row is begun.
  const all = (rows.value ?? [undefined]).map((row) =>
    chooseValues(demo.value, { ...given.value, ...row?.values }, steps, flags.dryRun === true),
  );
  for (const [index, values] of all.entries()) {
    if (values.ok) continue;
    const where = rows.value === undefined ? "" : `row ${index + 1}: `;
    return fail({ ...values.failure, message: `${where}${values.failure.message}` });
  }
  const values = all.flatMap((one) => (one.ok ? [one.value] : []));
  const runs = await cancelOnInterrupt(true, (signal) =>
    withHost((host) => {
      const recall: Host["recall"] | undefined = flags.heal === true ? (request) => host.recall(request) : undefined;
      const pictures = {
        pictures: findPictures(name),
        picturesStop: report.value !== undefined || flags.archive !== undefined,
      };
      const common = { host, signal, isTyped: true, recall, ...pictures, ...options.value };
      const job = { demo: demo.value, common, values, isDry: flags.dryRun === true };
      const running = log === undefined || rows.value === undefined ? runOnce(job) : runRows(job, rows.value, log);
      return running.then((result) => {
        // The signal ends this process before its answer is printed.
        if (signal?.aborted === true && result.ok) tell(showRuns(result.value).replaceAll("\n", "  "));
        return result;
      });
    }),
  );
  const proposed = runs.ok ? propose(name, demo.value, runs.value.runs) : succeed(undefined);
  if (!proposed.ok) return proposed;
  if (!runs.ok) return runs;
  const file = archive.value;
  if (file !== undefined && runs.value.runs.some(({ stop }) => stop !== undefined)) {
    const kept = writePrivate(file, makeArchive(demo.value, runs.value.runs));
    if (!kept.ok) return kept;
    tell(`${file} tells why it stopped: index.html in it opens in a browser`);
  }
  if (report.value === undefined) return runs;
  const written = writeReport(report.value.format, report.value.file, demo.value, runs.value.runs);
  return written.ok ? runs : written;
}

/** Values are read from none of Deskmap's own files, and no log is written there. */
function refuseOwnPlaces(option: string, ...paths: readonly (string | undefined)[]): Failure | undefined {
  return paths.flatMap((path) => (path === undefined ? [] : (refuseOwnPlace(option, path) ?? []))).at(0);
}

/** Of several rows, the last proposal for a step counts. */
function propose(name: string, demo: Demo, runs: readonly Run[]): Result<void> {
  const byStep = new Map(runs.flatMap(({ proposals }) => proposals.map((one) => [one.step, one] as const)));
  if (byStep.size === 0) return succeed(undefined);
  const file = openStore().find(name, folders.working());
  if (!file.ok) return file;
  const kept = keepProposals(file.value, demo, [...byStep.values()]);
  if (!kept.ok) return kept;
  const count = byStep.size === 1 ? "1 new ref is" : `${byStep.size} new refs are`;
  tell(`${count} proposed: deskmap demo heal show ${quoteArgument(name)}`);
  return succeed(undefined);
}

interface Job {
  readonly demo: Demo;
  readonly common: Omit<ReplayOptions, "values"> & { readonly host: Host };
  readonly values: readonly Values[];
  readonly isDry: boolean;
}

async function runOnce({ demo, common, values: [values = {}] }: Job): Promise<Result<Runs>> {
  const report = await replayDemo(demo, { ...common, values });
  return succeed({ runs: [report], skipped: [] });
}

async function runRows({ demo, common, values, isDry }: Job, rows: readonly Row[], log: RowLog): Promise<Result<Runs>> {
  const runs: Run[] = [];
  const skipped: { row: number; why: string }[] = [];
  for (const [index, row] of rows.entries()) {
    if (common.signal?.aborted === true) break;
    const state = log.stateOf(row);
    if (!state.ok) return state;
    if (state.value !== "new") {
      const why = state.value === "done" ? doneBefore : "may have had an effect before: finish it by hand";
      skipped.push({ row: row.n, why });
      if (state.value !== "done") tell(`row ${row.n} of ${rows.length}: ${why}`);
      continue;
    }
    if (!isDry) {
      const begun = log.begin(row);
      if (!begun.ok) return begun;
      if (!begun.value) {
        skipped.push({ row: row.n, why: "another call is doing it" });
        continue;
      }
    }
    tell(`row ${row.n} of ${rows.length}`);
    const report = await replayDemo(demo, { ...common, values: values[index] ?? {} });
    runs.push({ ...report, row: row.n });
    const { stop, delivered } = report;
    const ended = isDry
      ? succeed(undefined)
      : log.end(row, stop === undefined ? "done" : "stopped", delivered, stop?.failure.message);
    if (!ended.ok) return ended;
    // Nobody knows in which state the application is.
    if (stop !== undefined) break;
  }
  return succeed({ runs, skipped });
}

function readOptions(demo: Demo, flags: Flags): Result<Omit<ReplayOptions, "host" | "values">> {
  const count = demo.steps.length;
  if (count === 0) return fail(describeUsage("the demo has no steps", "deskmap demo show"));
  const from = readStep("--from", flags.from, 1, count);
  if (!from.ok) return from;
  const to = readStep("--to", flags.to, count, count);
  if (!to.ok) return to;
  if (from.value > to.value) return fail(describeUsage("--from is after --to", `--from 1 --to ${count}`));
  if (flags.speed !== undefined && flags.speed !== "recorded" && flags.speed !== "fast") {
    return fail(
      describeUsage(`no speed is called ${JSON.stringify(flags.speed)}`, "--speed recorded, or --speed fast"),
    );
  }
  const timeoutMs = Number(flags.timeout ?? 10_000);
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= 3_600_000)) {
    return fail(describeUsage(`--timeout ${JSON.stringify(flags.timeout)} is not a time`, "--timeout 10000"));
  }
  if (typeof flags.allowCoordinates === "string" && flags.allowCoordinates !== "unseen") {
    const message = `--allow-coordinates takes unseen, not ${JSON.stringify(flags.allowCoordinates)}`;
    return fail(describeUsage(message, "name the demo before it: deskmap replay NAME --allow-coordinates"));
  }
  if (flags.step === true && !(isTerminal(2) && process.stdin.isTTY)) {
    return fail(describeUsage("--step asks at a terminal, and there is none", "run it in a terminal."));
  }
  return succeed({
    from: from.value,
    to: to.value,
    isDry: flags.dryRun === true,
    isPaced: flags.speed === "recorded",
    allowsCoordinates: flags.allowCoordinates === "unseen" ? "unseen" : flags.allowCoordinates === true,
    allowsDoubtful: flags.allowDoubtful === true,
    timeoutMs,
    onBefore: flags.step === true ? askBefore : undefined,
    onDone: (outcome) => tell(showOutcome(outcome, count)),
  });
}

function readStep(option: string, given: string | undefined, missing: number, count: number): Result<number> {
  const step = given === undefined ? missing : Number(given);
  if (Number.isInteger(step) && step >= 1 && step <= count) return succeed(step);
  return fail(describeUsage(`${option} ${JSON.stringify(given)} is no step of it`, `a number from 1 to ${count}`));
}

/** A --param replaces what the file has. */
function readGiven({ param = [], params }: Flags, known: readonly string[]): Result<Values> {
  const given = parseParams(param);
  if (!given.ok || params === undefined) return given;
  const text = readBounded(resolve(folders.working(), params), 8 << 20);
  if (!text.ok) return text;
  const written = parseParamsFile(text.value, params, known);
  return written.ok ? succeed({ ...written.value, ...given.value }) : written;
}

function readReport(words: readonly string[] | undefined): Result<{ format: ReportFormat; file: string } | undefined> {
  if (words === undefined) return succeed(undefined);
  const [kind, file, ...more] = words;
  const format = reportFormats.find((one) => one === kind);
  if (format !== undefined && file !== undefined && more.length === 0) {
    const place = findOutputFile("--report", file, { what: `a report (${format})`, start: reportStarts[format] });
    return place.ok ? succeed({ format, file: place.value }) : place;
  }
  return fail(describeUsage(`--report takes ${reportFormats.join(", ")} and a file`, "--report junit report.xml"));
}

async function askBefore(n: number, count: number, words: string): Promise<"do" | "skip" | "end"> {
  const answer = await askAtTerminal(
    `step ${n} of ${count}: ${cleanLine(words)}\nEnter: do it, s: leave it out, q: end `,
  );
  if (answer === undefined || /^q/i.test(answer)) return "end";
  return /^s/i.test(answer) ? "skip" : "do";
}

function showOutcome({ n, words, state, verdict, tookMs, notes }: StepOutcome, count: number): string {
  const more = notes.length === 0 ? "" : ` (${notes.join("; ")})`;
  return `step ${n} of ${count}: ${verdict ?? state}  ${words}  ${tookMs} ms${more}`;
}
