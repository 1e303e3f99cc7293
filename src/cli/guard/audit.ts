import type { AuditEvent, EventFilter } from "../../guard/audit/read.ts";
import type { Verification } from "../../guard/audit/verify.ts";
import { findPlaces } from "../../guard/places.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { cleanText, escapeUnprintable, quoteName, quoteText } from "../../model/plain-text.ts";
import { joinRows } from "../../show/csv.ts";
import type { Format } from "../../tools/arguments.ts";
import { defineCommand, printOrReport, readFormat, reportFailure } from "../define.ts";
import { frame, isTerminal } from "../output.ts";

const kinds = ["look", "action", "refused", "ask", "answer", "stop", "resume", "allow", "policy", "send"];
const shownAtFirst = 50;

type Flags = Partial<Record<"since" | "until" | "app" | "client" | "tool" | "what" | "last" | "format", string>>;

const notes = `deskmap audit verify   tells whether a line was changed, removed or added since it was written; exit code 1 if so

A time is 30m, 2h, 7d (that long ago), a date, or ISO 8601.`;

/** The audit log. JSON comes as JSON Lines, since a log may be long. */
export const audit = defineCommand({
  name: "audit",
  summary: "Show what was looked at and done: when, by whom and with what effect.",
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

async function show(wanted: EventFilter, format: Format): Promise<void> {
  const isBare = Object.values(wanted).every((part) => part === undefined);
  const last = isBare && format === "text" ? shownAtFirst : wanted.last;
  const { readEvents } = await import("../../guard/audit/read.ts");
  const { events, leftOut } = readEvents(findPlaces(process.env), { ...wanted, last });
  await printOrReport(render(events, leftOut, format), format === "json");
}

function render(events: readonly AuditEvent[], leftOut: number, format: Format): string {
  if (format === "json") return events.map((one) => escapeUnprintable(JSON.stringify(one))).join("\n");
  if (format === "csv") return eventsToCsv(events);
  const earlier = leftOut === 0 ? [] : [`(${leftOut} earlier; --since or --last N shows more)`];
  return frame(events.length === 0 ? "nothing" : [...earlier, ...events.map(showEvent)].join("\n"), 1);
}

async function verify(isJson: boolean): Promise<void> {
  const { verifyLog } = await import("../../guard/audit/verify.ts");
  const verification = verifyLog(findPlaces(process.env));
  const isWhole = verification.findingCount === 0;
  process.exitCode = isWhole ? 0 : 1;
  await printOrReport(isJson ? JSON.stringify({ isWhole, ...verification }) : describe(verification), isJson);
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

function readWanted(flags: Flags, nowMs: number): Result<EventFilter> {
  const { app, client, tool, what, since, until, last } = flags;
  const sinceMs = since === undefined ? undefined : parseTime(since, nowMs);
  const untilMs = until === undefined ? undefined : parseTime(until, nowMs);
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

const maxWords = 120;

/** One line: when, who, what, to what, how, and the effect. Words of applications are quoted. */
function showEvent(event: AuditEvent): string {
  const { at, what, tool, way, effect, approval, typed, recipient, sent } = event;
  const parts = [
    showTime(at),
    showClient(event),
    what === "action" ? (tool ?? "action") : [what, tool].filter((word) => word !== undefined).join(" "),
    showTarget(event),
    recipient === undefined ? "" : `to ${quoteText(recipient)}`,
    sent === undefined ? "" : `${sent.kinds.join(", ")}, ${sent.bytes} bytes (${sent.hash})`,
    typed === undefined ? "" : `${typed.length} characters (${typed.hash})`,
    way === undefined ? "" : `by ${cleanText(way, maxWords)}`,
    effect === undefined ? "" : `→ ${cleanText(effect, maxWords)}`,
    approval === undefined ? "" : `allowed by ${quoteName(approval)}`,
    event.words === undefined ? "" : cleanText(event.words, maxWords * 2),
  ];
  return parts.filter((part) => part !== "").join("  ");
}

/** Surfaces, which people use, are named by Deskmap; all others name themselves. */
const bySurfaces: ReadonlySet<string> = new Set(["stop", "resume", "allow", "policy"]);

function showClient({ what, client, named = "claimed", process }: AuditEvent): string {
  if (bySurfaces.has(what)) return quoteName(client);
  const whose = process === undefined ? "" : `, process ${process.pid}`;
  return `${quoteName(client)} (${named}${whose})`;
}

function eventsToCsv(events: readonly AuditEvent[]): string {
  const rows = events.map((one) => {
    const { n, at, endedAt, what, client, tool, target, way, effect, approval, typed, words, digest } = one;
    const { named, process, recipient, sent } = one;
    const cells = [n, at, endedAt, what, client, tool, appsOf(one).join(" "), target?.window, target?.mark];
    const rest = [
      target?.role,
      target?.name,
      way,
      effect,
      approval,
      typed?.length,
      typed?.hash,
      words,
      digest,
      named,
      process?.pid,
      recipient,
      sent?.kinds.join(" "),
      sent?.bytes,
      sent?.hash,
    ];
    return [...cells, ...rest].map((cell) => (cell === undefined ? "" : cleanText(String(cell), maxWords * 4)));
  });
  const head =
    "n,at,ended,what,client,tool,apps,window,mark,role,name,way,effect,approval,length,hash,words,digest,named,pid,recipient,kinds,bytes,sent";
  return joinRows(head, rows);
}

function showTarget(event: AuditEvent): string {
  const { target } = event;
  const apps = appsOf(event).map(quoteName).join(", ");
  if (target === undefined) return apps;
  const { window, mark, role, name, words } = target;
  return [
    apps,
    window === undefined ? "" : quoteText(window),
    role === undefined ? "" : cleanText(role, maxWords),
    name === undefined || name === "" ? "" : quoteText(name),
    mark === undefined ? "" : `(${mark})`,
    words === undefined ? "" : quoteText(words),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function appsOf({ apps = [], target }: AuditEvent): string[] {
  return [...new Set([...apps, ...(target?.app === undefined ? [] : [target.app])])];
}

function showTime(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return quoteText(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace("T", " ");
}

const unitsMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `90m` is that long ago, a date is its start in local time; ISO 8601 is taken as it is. */
function parseTime(words: string, nowMs: number): number | undefined {
  const ago = /^(\d{1,6})([smhdw])$/.exec(words.trim());
  const unitMs = unitsMs[ago?.[2] ?? ""];
  if (ago?.[1] !== undefined && unitMs !== undefined) return nowMs - Number(ago[1]) * unitMs;
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(words.trim());
  const isTime = date !== null || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(words.trim());
  const timeMs = date === null ? Date.parse(words) : Date.parse(`${words.trim()}T00:00:00`);
  return isTime && Number.isFinite(timeMs) ? timeMs : undefined;
}
