import type { Command } from "../model/command.ts";
import { type Failure, nothingDone } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { quoteArgument, quoteText } from "../model/plain-text.ts";
import type { Window } from "../model/window.ts";
import { selectsOrCopies } from "./clipboard-commands.ts";
import type { Warning } from "./danger/warning.ts";
import type { Request } from "./gate.ts";
import { type Case, decide, decideAll, findStand, namesOf, type Policy, type Standing } from "./policy/policy.ts";
import type { Grant, Ledger, Records, Stop } from "./records.ts";
import { describeUnwritten } from "./unwritten.ts";

/** One command before the guard, with all that its rules look at. */
export interface Matter {
  readonly command: Command;
  readonly request: Request;
  readonly client: string;
  readonly policy: Policy;
  readonly records: Records;
  readonly receivers: readonly Window[];
  readonly warnings: readonly Warning[];
  /** Judged before its window was brought to the front and its control made ready. */
  readonly isPlanned?: boolean;
}

/** Why a command may not be done; undefined where a rule has nothing against it. */
type Forbid = (matter: Matter) => Failure | undefined;

/** What forbids a command, in the order in which it is told. */
export const forbidding: readonly Forbid[] = [
  forbidWhenStopped,
  forbidReadOnly,
  forbidByStanding,
  forbidPages,
  forbidOwnFiles,
  forbidCopyingSecrets,
  forbidByRule,
];

export function forbidWhenStopped({ records }: Pick<Matter, "records">): Failure | undefined {
  let stop: Stop | undefined;
  try {
    stop = records.findStop();
  } catch (error) {
    return describeUnwritten("the state directory", error);
  }
  if (stop === undefined) return undefined;
  return refuse(
    "stopped",
    `everything was stopped by ${stop.by} at ${showLocalTime(stop.atMs)}`,
    "a person runs deskmap resume in a terminal.",
  );
}

function forbidReadOnly({ policy, request }: Matter): Failure | undefined {
  if (!policy.isReadOnly) return undefined;
  return refuse(
    "read-only",
    `${request.tool} acts, and this desktop may only be read`,
    "deskmap read shows what is there.",
  );
}

function forbidByStanding({ policy, receivers, command, request }: Matter): Failure | undefined {
  const opened = command.kind === "open" ? [{ app: command.opener.words, names: command.opener.names }] : [];
  const inside = [request.element, request.onto].some((one) => one?.role === "terminal") ? [terminalPart] : [];
  const concerned = [...receivers.map((window) => ({ app: window.app, names: namesOf(window) })), ...opened, ...inside];
  for (const { app, names } of concerned) {
    const { standing, entry } = findStand(policy, names);
    if (standing !== "normal") return describeStanding(app, standing, entry);
  }
  return undefined;
}

/** What is typed there is run, whatever application it is a part of: the panel of an editor, a plug-in. */
const terminalPart = { app: "terminal", names: ["terminal"] };

/** `entry` is what decided: a window of another class may be that program all the same. */
export function describeStanding(app: string, standing: Exclude<Standing, "normal">, entry = app): Failure {
  const isOther = !entry.endsWith("*") && entry.toLowerCase() !== app.toLowerCase();
  const name = isOther ? entry : app;
  const whose = isOther ? `${quoteText(app)}, which is ${quoteText(name)},` : quoteText(name);
  const what = standing === "blind" ? "is neither looked at nor touched" : "may be read, not controlled";
  const change = `deskmap apps normal ${quoteArgument(name)}`;
  return refuse(standing, `${whose} ${what}`, `a person can change that in a terminal: ${change}`);
}

/** A client that reaches the page where a person answers could answer for the person, or have a script of its own do so later. */
function forbidPages({ receivers, request, command, records }: Matter): Failure | undefined {
  const reached = [...receivers, request.window, "window" in command ? command.window : undefined];
  const titles = reached.flatMap((window) => (window === undefined ? [] : [window.title]));
  const own = [request.element, request.onto, "element" in command ? command.element : undefined];
  const words = records.listPageTitles?.() ?? [];
  if (words.length === 0) return undefined;
  // A page may be told by its address alone: in a window without a title bar, or with a title of another tab.
  const hosts = [...own, ...(request.within?.() ?? [])].flatMap((one) => hostOf(one?.url ?? ""));
  const isTold = words.some((word) => titles.some((title) => title.includes(word)) || hosts.includes(word));
  if (!isTold) return undefined;
  return refuse("hands-off", "this window is Deskmap's inspector, where a person answers", "a person uses it.");
}

function hostOf(url: string): readonly string[] {
  const host = url === "" ? undefined : URL.parse(url)?.host;
  return host === undefined ? [] : [host];
}

const ownNames = String.raw`(policy\.(json|seal)|seal\.key|pin(-tries)?\.json|secrets\.env|audit\.(\d+\.)?(jsonl|key|head)|ledger\.json|stopped\.json|inspect-\d+\.html)`;
const ownFile = new RegExp(String.raw`\bdeskmap/+(${ownNames}|audit\b|turn\.json|[\w-]+\.lock|surfaces\b)`, "i");
/** As editors title their windows: the path, or the name and then the folder. */
const ownTitle = new RegExp(String.raw`\b${ownNames}.*\bdeskmap\b|\bdeskmap/+${ownNames}`, "i");

/** A client that edits the policy through an editor would allow itself everything. What is not caught here, the docs tell. */
function forbidOwnFiles({ command, receivers, policy }: Matter): Failure | undefined {
  if (policy.standings.size === 0) return undefined;
  const given = command.kind === "open" ? [command.opener.path ?? "", command.opener.what, ...command.opener.args] : [];
  const typed = "text" in command ? [command.text] : [];
  const isOwn = [...given, ...typed].some((text) => ownFile.test(text));
  if (!isOwn && !receivers.some(({ title }) => ownTitle.test(title))) return undefined;
  return refuse(
    "hands-off",
    "Deskmap's own files are the person's alone",
    "a person edits them, or uses deskmap policy.",
  );
}

/** They select what they replace in the next moment. */
const replacing: ReadonlySet<string> = new Set(["set-value", "fill-secret"]);

/** A secret that its application shows could be selected, copied and read from the clipboard. */
function forbidCopyingSecrets({ command, request }: Matter): Failure | undefined {
  if (request.element?.states.has("secret") !== true || replacing.has(request.tool)) return undefined;
  if (!selectsOrCopies(command)) return undefined;
  return refuseSecretCopy();
}

export function refuseSecretCopy(): Failure {
  return refuse("secret", "nothing is selected or copied where a field is secret", "a person can do that.");
}

function forbidByRule(matter: Matter): Failure | undefined {
  const { request, warnings } = matter;
  if (decideMatter(matter) !== "deny") return undefined;
  const why = warnings.length === 0 ? "" : ` (${warnings.map(({ because }) => because).join("; ")})`;
  return refuse("rule", `the policy forbids this ${request.tool}${why}`, "deskmap policy show tells its rules.");
}

export function decideMatter({ policy, client, request, receivers, warnings, command }: Matter) {
  const about = { client, tool: request.tool, dangers: warnings.map(({ danger }) => danger) };
  // What is allowed in one application must not be done to another on its way.
  const reached = command.kind === "open" ? [command.opener.names] : receivers.map(namesOf);
  const each = reached.length === 0 ? [[]] : reached;
  return decideAll(
    policy,
    each.map((apps) => ({ ...about, apps })),
  );
}

/** What a blind application has copied is its own; a rule may keep the clipboard from a client altogether. */
export function refuseClipboard(policy: Policy, one: Case): Failure | undefined {
  const { standing, entry } = findStand(policy, one.apps);
  if (standing === "blind") return describeStanding(one.apps.at(-1) ?? "", "blind", entry);
  if (decide(policy, one) === "allow") return undefined;
  return refuse("rule", "the policy forbids reading the clipboard", "deskmap policy show tells its rules.");
}

const minuteMs = 60_000;

/** Counts an action in, or says when the next may be done. */
export function countAction(
  ledger: Ledger,
  policy: Policy,
  action: { readonly client: string; readonly app: string },
  nowMs: number,
  parties: readonly (readonly string[])[] = [[action.app]],
): { readonly ledger: Ledger; readonly result: Failure | undefined } {
  // A clock that was set back must not lock anybody out.
  const recent = ledger.actions.filter(({ atMs }) => atMs > nowMs - minuteMs && atMs <= nowMs);
  const grants = ledger.grants.filter(({ untilMs }) => untilMs > nowMs);
  const isFree =
    policy.actionsPerMinute === 0 || grants.some((grant) => covers(grant, { client: action.client, parties }));
  const left = { actions: recent, grants };
  if (!isFree && recent.length >= policy.actionsPerMinute) {
    const [oldest] = recent.slice(-policy.actionsPerMinute);
    const retryAfterMs = Math.max(0, (oldest?.atMs ?? nowMs) + minuteMs - nowMs);
    return { ledger: left, result: describeRate(policy.actionsPerMinute, action.app, retryAfterMs) };
  }
  return { ledger: { ...left, actions: [...recent, { atMs: nowMs, ...action }] }, result: undefined };
}

/** Whether a grant is meant for a client and for every application that is concerned, each by any of its names. */
export function covers(
  grant: Grant,
  { client, parties }: { readonly client: string; readonly parties: readonly (readonly string[])[] },
): boolean {
  const isSame = (one: string | undefined, other: string): boolean =>
    one === undefined || one.toLowerCase() === other.toLowerCase();
  const isMeant = grant.app === undefined || parties.length > 0;
  return (
    isMeant && isSame(grant.client, client) && parties.every((names) => names.some((name) => isSame(grant.app, name)))
  );
}

function describeRate(limit: number, app: string, retryAfterMs: number): Failure {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const failure = refuse(
    "rate",
    `${limit} actions were done within a minute, which is the limit without a person's word`,
    `again in ${seconds} s; or a person allows a run in a terminal: deskmap allow --minutes 10 --app ${quoteArgument(app)}`,
  );
  return { ...failure, retryAfterMs };
}

function refuse(reason: NonNullable<Failure["reason"]>, message: string, suggestion: string): Failure {
  return { code: "REFUSED", reason, message, suggestion, done: nothingDone };
}
