import type { Happening, Wanted } from "../../guard/audit/read.ts";
import type { Verification } from "../../guard/audit/verify.ts";
import { findPlaces } from "../../guard/places.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import type { Format } from "../../tools/forms.ts";
import { defineCommand, readFormat } from "../define.ts";
import { frame, isTerminal, print } from "../output.ts";
import { reportFailure } from "../report.ts";
import { readTime } from "./audit-time.ts";

const kinds = ["look", "action", "refused", "ask", "answer", "stop", "resume", "allow", "policy"];
/** A person who asks for no part of it wants to know what happened last. */
const shownAtFirst = 50;

interface Flags {
  readonly since?: string;
  readonly until?: string;
  readonly app?: string;
  readonly client?: string;
  readonly tool?: string;
  readonly what?: string;
  readonly last?: string;
  readonly format?: string;
}

const notes = `deskmap audit verify   tells whether a line was changed, removed or added since it was written; exit code 1 if so

A time is 30m, 2h, 7d (that long ago), a date, or ISO 8601.`;

/** What was looked at and done here, by whom; as JSON Lines, since a log may be long. */
export const audit = defineCommand({
  name: "audit",
  summary: "What was looked at and done on this desktop, when, by whom and with what effect.",
  words: [["[verify]", ""]],
  options: [
    ["--since <time>", "not before"],
    ["--until <time>", "before"],
    ["--app <name>", "only this application"],
    ["--client <name>", "only this client"],
    ["--tool <name>", "only this tool"],
    ["--what <kind>", `only this: ${kinds.join(", ")}`],
    ["--last <n>", "only the last so many"],
    ["--format <text|json|csv>", "output format (text on a terminal, JSON lines when piped)"],
  ],
  notes,
  examples: [
    "deskmap audit --since 1h",
    "deskmap audit --app firefox --what action --last 20",
    "deskmap audit --since 2026-01-31 --format csv > january.csv",
    "deskmap audit verify",
  ],
  async run(flags: Flags, [word]) {
    await run(word, flags);
    return succeed(undefined);
  },
});

async function run(word: string | undefined, flags: Flags): Promise<void> {
  const format = readFormat(flags.format);
  if (!format.ok) return reportFailure(format.failure, !isTerminal());
  const isJson = format.value === "json";
  if (word !== undefined && word !== "verify") {
    return reportFailure(
      describeUsage(`audit has no part called "${word}"`, "deskmap audit verify, or deskmap audit"),
      isJson,
    );
  }
  if (word === "verify") return verify(isJson);
  const wanted = readWanted(flags, Date.now());
  if (!wanted.ok) return reportFailure(wanted.failure, isJson);
  await show(wanted.value, format.value);
}

async function show(wanted: Wanted, format: Format): Promise<void> {
  const isBare = Object.values(wanted).every((part) => part === undefined);
  const last = isBare && format === "text" ? shownAtFirst : wanted.last;
  const { readHappenings } = await import("../../guard/audit/read.ts");
  const { happenings, leftOut } = readHappenings(findPlaces(process.env), { ...wanted, last });
  const unwritten = await print(await render(happenings, leftOut, format));
  if (unwritten !== undefined) reportFailure(unwritten, format === "json");
}

async function render(happenings: readonly Happening[], leftOut: number, format: Format): Promise<string> {
  const { happeningsToCsv, happeningToJson, showHappening } = await import("./audit-show.ts");
  if (format === "json") return happenings.map(happeningToJson).join("\n");
  if (format === "csv") return happeningsToCsv(happenings);
  const earlier = leftOut === 0 ? [] : [`(${leftOut} earlier; --since or --last N shows more)`];
  return frame(happenings.length === 0 ? "nothing" : [...earlier, ...happenings.map(showHappening)].join("\n"), 1);
}

async function verify(isJson: boolean): Promise<void> {
  const { verifyLog } = await import("../../guard/audit/verify.ts");
  const verification = verifyLog(findPlaces(process.env));
  const isWhole = verification.findingCount === 0;
  const unwritten = await print(isJson ? JSON.stringify({ isWhole, ...verification }) : describe(verification));
  process.exitCode = isWhole ? 0 : 1;
  if (unwritten !== undefined) reportFailure(unwritten, isJson);
}

function describe({ lines, findings, findingCount, notes }: Verification): string {
  const more = findingCount - findings.length;
  return [
    ...findings.map(({ file, line, text }) => `${line === 0 ? file : `${file}:${line}`}: ${text}`),
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...notes.map((note) => `note: ${note}`),
    findingCount === 0
      ? `${lines} ${lines === 1 ? "line" : "lines"}: every one is as it was written, and none is missing.`
      : `${lines} ${lines === 1 ? "line" : "lines"}: the log is not as it was written.`,
  ].join("\n");
}

function readWanted(flags: Flags, nowMs: number): Result<Wanted> {
  const { app, client, tool, what, since, until, last } = flags;
  const sinceMs = since === undefined ? undefined : readTime(since, nowMs);
  const untilMs = until === undefined ? undefined : readTime(until, nowMs);
  if (since !== undefined && sinceMs === undefined) return fail(badTime("--since", since));
  if (until !== undefined && untilMs === undefined) return fail(badTime("--until", until));
  if (last !== undefined && !/^[1-9]\d{0,8}$/.test(last))
    return fail(describeUsage(`--last "${last}" is no number`, "--last 20"));
  if (what !== undefined && !kinds.includes(what)) {
    return fail(describeUsage(`nothing is called "${what}"`, `--what ${kinds.join(", ")}`));
  }
  return succeed({ sinceMs, untilMs, app, client, tool, what, last: last === undefined ? undefined : Number(last) });
}

function badTime(option: string, given: string): Failure {
  return describeUsage(
    `${option} "${given}" is not a time`,
    `${option} 2h, ${option} 2026-01-31 or ${option} 2026-01-31T08:00`,
  );
}
