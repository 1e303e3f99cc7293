import type { Command } from "../model/command.ts";
import type { Failure } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import { quoteArgument, quoteText } from "../model/plain-text.ts";
import type { Window } from "../model/window.ts";
import type { LoggedTarget } from "./audit/chain.ts";
import type { Grant, Ledger } from "./audit/ledger.ts";
import { selectsOrCopies } from "./clipboard-commands.ts";
import { leavesByTab } from "./danger/keys.ts";
import type { Warning } from "./danger/match.ts";
import { mayReachOwnFiles } from "./file-dialogs.ts";
import type { Client, Request } from "./gate.ts";
import { isForClient } from "./identity.ts";
import { mayReachOwnEntries } from "./own-entries.ts";
import { isOwnDocument, isOwnEntry, namesOwnFile } from "./own-files.ts";
import {
  type Case,
  decide,
  decideAll,
  findStand,
  namesOf,
  type Policy,
  type Stand,
  type Standing,
} from "./policy/policy.ts";
import type { Records, Stop } from "./records.ts";
import { describeUnwritable, refuse } from "./refusals.ts";

/** A command that is to be carried out, with everything that the rules consider. */
export interface Attempt {
  readonly command: Command;
  readonly request: Request;
  readonly client: string;
  readonly policy: Policy;
  readonly records: Records;
  readonly receivers: readonly Window[];
  readonly warnings: readonly Warning[];
  /** Checked before its window is raised and its control made ready. */
  readonly isPlanned?: boolean;
}

/** Why a command is refused; undefined if this rule does not refuse it. */
type Forbid = (attempt: Attempt) => Failure | undefined;

/** In this order: the first refusal is reported. */
const forbidding: readonly Forbid[] = [
  forbidWhenStopped,
  forbidReadOnly,
  forbidByStanding,
  forbidPages,
  forbidOwnFiles,
  forbidCopyingSecrets,
  forbidByRule,
];

export function findForbidden(attempt: Attempt): Failure | undefined {
  for (const forbid of forbidding) {
    const failure = forbid(attempt);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

export function forbidWhenStopped({ records }: Pick<Attempt, "records">): Failure | undefined {
  let stop: Stop | undefined;
  try {
    stop = records.findStop();
  } catch (error) {
    return describeUnwritable("the state directory", error);
  }
  if (stop === undefined) return undefined;
  return refuse(
    "stopped",
    `everything was stopped by ${stop.by} at ${showLocalTime(stop.atMs)}`,
    "a person runs deskmap resume in a terminal.",
  );
}

function forbidReadOnly({ policy, request }: Attempt): Failure | undefined {
  if (!policy.isReadOnly) return undefined;
  return refuse(
    "read-only",
    `${request.tool} acts, and this desktop may only be read`,
    "deskmap read shows what is there.",
  );
}

function forbidByStanding({ policy, receivers, command, request }: Attempt): Failure | undefined {
  const opened = command.kind === "open" ? [{ app: command.opener.words, names: command.opener.names }] : [];
  const reached = [request.element, request.onto, ...(request.within?.() ?? [])];
  const shown = command.kind === "type" && leavesByTab(command.text, request) ? (request.elements?.() ?? []) : [];
  const inside = [...reached, ...shown].some((one) => one?.role === "terminal") ? [terminalPart] : [];
  const concerned = [...receivers.map((window) => ({ app: window.app, names: namesOf(window) })), ...opened, ...inside];
  for (const { app, names } of concerned) {
    const stand = findStand(policy, names);
    if (stand.standing !== "normal") return describeStand(app, stand);
  }
  return undefined;
}

/** Text typed into a terminal is run, also in the panel of an editor. */
const terminalPart = { app: "terminal", names: ["terminal"] };

export function describeStand(app: string, { standing, entry, isWithheld }: Stand): Failure {
  if (isWithheld === true) return describeWithheld();
  return describeStanding(app, standing === "normal" ? "blind" : standing, entry);
}

/** Names nothing: it is told to those who must not see the application. */
function describeWithheld(): Failure {
  const message = "this application is not shown to a model";
  return refuse("local-only", message, "a person does it, or asks without a model.");
}

/** `entry` is the name that decided: a window may have another class than its program. */
export function describeStanding(app: string, standing: Exclude<Standing, "normal">, entry = app): Failure {
  const isOther = !entry.endsWith("*") && entry.toLowerCase() !== app.toLowerCase();
  const name = isOther ? entry : app;
  const whose = isOther ? `${quoteText(app)}, which is ${quoteText(name)},` : quoteText(name);
  const what = standing === "blind" ? "is neither read nor touched" : "may be read, not controlled";
  const change = `deskmap apps normal ${quoteArgument(name)}`;
  return refuse(standing, `${whose} ${what}`, `a person can change that in a terminal: ${change}`);
}

/** A client that reaches the page where a person answers could answer for the person. */
function forbidPages({ receivers, request, command, records }: Attempt): Failure | undefined {
  const reached = [...receivers, request.window, "window" in command ? command.window : undefined];
  const titles = reached.flatMap((window) => (window === undefined ? [] : [window.title]));
  const own = [request.element, request.onto, "element" in command ? command.element : undefined];
  const words = records.listPageTitles?.() ?? [];
  if (words.length === 0) return undefined;
  // The address alone may identify a page: in a window without a title, or with the title of another tab.
  const hosts = [...own, ...(request.within?.() ?? [])].flatMap((one) => hostOf(one?.url ?? ""));
  const isPage = words.some((word) => titles.some((title) => title.includes(word)) || hosts.includes(word));
  if (!isPage) return undefined;
  return refuse("hands-off", "this window is Deskmap's inspector, where a person answers", "a person uses it.");
}

function hostOf(url: string): readonly string[] {
  const host = url === "" ? undefined : URL.parse(url)?.host;
  return host === undefined ? [] : [host];
}

/** With an editor, a client could change the policy. Windows with such files are blind; docs/security.md says what is missed. */
function forbidOwnFiles({ command, request, policy }: Attempt): Failure | undefined {
  if (policy.standings.size === 0) return undefined;
  const { element, surroundings = () => [] } = request;
  const held = element?.value ?? "";
  const given = command.kind === "open" ? [command.opener.path ?? "", command.opener.what, ...command.opener.args] : [];
  // A path may come in pieces: what the field holds, and what is added.
  const typed = "text" in command ? [command.text, `${held}${command.text}`] : command.kind === "keys" ? [held] : [];
  const isOwn = [...given, ...typed].some(namesOwnFile) || isOwnEntry(element?.name ?? "", surroundings);
  if (!isOwn && mayReachOwnFiles(command, request)) {
    const message = "this file dialog may lead to Deskmap's own files, which only a person changes";
    return refuse("hands-off", message, "give another name, or the whole path; Escape leaves the dialog.");
  }
  if (!isOwn && mayReachOwnEntries(command, request)) {
    const message = "one of Deskmap's own files, or their folder, is or may be meant there";
    return refuse("hands-off", message, "choose another entry first: only a person touches these.");
  }
  if (!isOwn && !reachesOwnDocument(command, request)) return undefined;
  return refuse(
    "hands-off",
    "Deskmap's own files may only be changed by a person",
    "a person edits them, or uses deskmap policy.",
  );
}

/** A document by its address: what is in it, and keys while it may have the focus. */
function reachesOwnDocument(
  command: Command,
  { element, onto, within = () => [], elements = () => [] }: Request,
): boolean {
  const own = "element" in command ? [command.element] : [];
  const reached = [
    ...own,
    ...(element === undefined ? [] : [element]),
    ...(onto === undefined ? [] : [onto]),
    ...within(),
  ];
  if (reached.some(isOwnDocument)) return true;
  const isKeyboard = command.kind === "keys" || command.kind === "type";
  return isKeyboard && element === undefined && elements().some(isOwnDocument);
}

/** These tools select the text in order to replace it. */
const replacing: ReadonlySet<string> = new Set(["set-value", "fill-secret"]);

/** A secret that is shown could be selected, copied and read from the clipboard. */
function forbidCopyingSecrets({ command, request }: Attempt): Failure | undefined {
  if (request.element?.states.has("secret") !== true || replacing.has(request.tool)) return undefined;
  if (!selectsOrCopies(command)) return undefined;
  return refuseSecretCopy();
}

export function refuseSecretCopy(): Failure {
  return refuse("secret", "nothing is selected or copied in or near a secret field", "a person can do that.");
}

function forbidByRule(attempt: Attempt): Failure | undefined {
  const { request, warnings } = attempt;
  if (decideAttempt(attempt) !== "deny") return undefined;
  const why = warnings.length === 0 ? "" : ` (${warnings.map(({ because }) => because).join("; ")})`;
  return refuse("rule", `the policy forbids this ${request.tool}${why}`, "deskmap policy show lists its rules.");
}

export function decideAttempt({ policy, client, request, receivers, warnings, command }: Attempt) {
  const about = { client, tool: request.tool, dangers: warnings.map(({ danger }) => danger) };
  // An allowed application does not allow others that the command reaches too.
  const reached = listReachedApps({ receivers, command });
  const each = reached.length === 0 ? [[]] : reached;
  return decideAll(
    policy,
    each.map((apps) => ({ ...about, apps })),
  );
}

/** Refuses what a blind application has copied; a rule may forbid the clipboard altogether. */
export function refuseClipboard(policy: Policy, one: Case): Failure | undefined {
  const stand = findStand(policy, one.apps);
  if (stand.standing === "blind") return describeStand(one.apps.at(-1) ?? "", stand);
  if (decide(policy, one) === "allow") return undefined;
  return refuse("rule", "the policy forbids reading the clipboard", "deskmap policy show lists its rules.");
}

const minuteMs = 60_000;

export function countAction(
  ledger: Ledger,
  policy: Policy,
  { client, app }: { readonly client: Client; readonly app: string },
  nowMs: number,
  apps: readonly (readonly string[])[] = [[app]],
): { readonly ledger: Ledger; readonly result: Failure | undefined } {
  // Actions from the future are ignored: the clock may have been set back.
  const recent = ledger.actions.filter(({ atMs }) => atMs > nowMs - minuteMs && atMs <= nowMs);
  const grants = ledger.grants.filter(({ untilMs }) => untilMs > nowMs);
  const left = { ...ledger, actions: recent, grants };
  // What a person permits does not use up the rest.
  const isFree = policy.actionsPerMinute === 0 || grants.some((grant) => covers(grant, { client, apps }));
  if (isFree) return { ledger: left, result: undefined };
  if (recent.length >= policy.actionsPerMinute) {
    const [oldest] = recent.slice(-policy.actionsPerMinute);
    const retryAfterMs = Math.max(0, (oldest?.atMs ?? nowMs) + minuteMs - nowMs);
    return { ledger: left, result: describeRate(policy.actionsPerMinute, app, retryAfterMs) };
  }
  return { ledger: { ...left, actions: [...recent, { atMs: nowMs, client: client.name, app }] }, result: undefined };
}

/** Whether a grant is for a client and for all applications concerned, each by any of its names. */
export function covers(
  grant: Grant,
  { client, apps }: { readonly client: Client; readonly apps: readonly (readonly string[])[] },
): boolean {
  if (grant.isNameOnly === true) return false;
  const isSame = (one: string | undefined, other: string): boolean =>
    one === undefined || one.toLowerCase() === other.toLowerCase();
  const isMeant = grant.app === undefined || apps.length > 0;
  return (
    isMeant &&
    (grant.client === undefined || isForClient(grant, client)) &&
    apps.every((names) => names.some((name) => isSame(grant.app, name)))
  );
}

function describeRate(limit: number, app: string, retryAfterMs: number): Failure {
  const seconds = Math.ceil(retryAfterMs / 1000);
  const failure = refuse(
    "rate",
    `${limit} actions were done within a minute, which is the limit without a person's approval`,
    `again in ${seconds} s; or a person allows a run in a terminal: deskmap allow --minutes 10 --app ${quoteArgument(app)}`,
  );
  return { ...failure, retryAfterMs };
}

/** The applications that a command reaches, each with all its names. */
export function listReachedApps({
  receivers,
  command,
}: Pick<Attempt, "receivers" | "command">): readonly (readonly string[])[] {
  return command.kind === "open" ? [command.opener.names] : receivers.map(namesOf);
}

export function targetOf({ request, receivers, command }: Attempt): LoggedTarget {
  const { element, mark } = request;
  const window = request.window ?? receivers[0];
  const words = command.kind === "open" ? command.opener.words : "secret" in command ? command.secret : undefined;
  return { app: window?.app, window: window?.title, mark, role: element?.role, name: element?.name, words };
}
