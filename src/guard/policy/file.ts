import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { user } from "../../os/index.ts";
import { lockBriefly } from "../lock.ts";
import type { Places } from "../places.ts";
import { listDefaultNames, userPolicy } from "./defaults.ts";
import type { Problem } from "./json-reader.ts";
import { matches, type Policy, type Standing, sandboxPolicy, standings } from "./policy.ts";
import type { ClientPart, Written } from "./schema.ts";
import { findUnaccepted } from "./seal.ts";

/** A policy, and where it comes from. */
export interface LoadedPolicy {
  /** For a client that the file says nothing of. */
  readonly common: Policy;
  /** What the file says; undefined where there is none. */
  readonly written: Written | undefined;
  readonly path: string;
  readonly isPrivate: boolean;
}

const mostBytes = 1_000_000;
/** How long the writing of a policy and its seal may take. */
const settleMs = 5000;
const writableByOthers = 0o022;

/**
 * The policy of a desktop. A file means the same wherever it stands: what it leaves out is as on a person's own desktop.
 * Only a private desktop without one has no limit and no list. A file that is not wholly right is no policy at all; nor is
 * one that no person has accepted, but on a private desktop, which has nothing of the user's.
 */
export async function loadPolicy(places: Places, isPrivate: boolean): Promise<Result<LoadedPolicy>> {
  const read = await readPolicyFile(places);
  if (!read.ok) return fail(sayClosed(read.failure));
  const { text, written } = read.value;
  const unaccepted = isPrivate ? undefined : findUnaccepted(places, text);
  if (unaccepted !== undefined) return loadSettled(places, unaccepted);
  return succeed(combine(places, written, isPrivate));
}

/** A person's own command may have been at work on both, the file and its seal: it holds the lock meanwhile. */
async function loadSettled(places: Places, first: Failure): Promise<Result<LoadedPolicy>> {
  try {
    lockBriefly(places.lock, settleMs)?.release();
  } catch {
    // Where nothing can be locked nothing was being written.
    return fail(sayClosed(first));
  }
  const read = await readPolicyFile(places);
  if (!read.ok) return fail(sayClosed(read.failure));
  const unaccepted = findUnaccepted(places, read.value.text);
  return unaccepted === undefined ? succeed(combine(places, read.value.written, false)) : fail(sayClosed(unaccepted));
}

/** What the file says, whether anybody has accepted it or not: to be shown, or to be stricter by it. */
export async function readPolicyFile({ policy: path }: Places): Promise<Result<PolicyText>> {
  const text = readOwnFile(path);
  if (!text.ok) return text;
  if (text.value === undefined) return succeed({ text: undefined, written: undefined });
  const written = await readPolicy(path, text.value);
  return written.ok ? succeed({ text: text.value, written: written.value }) : written;
}

/** Both undefined where there is no file. */
interface PolicyText {
  readonly text: string | undefined;
  readonly written: Written | undefined;
}

function combine({ policy: path }: Places, written: Written | undefined, isPrivate: boolean): LoadedPolicy {
  const withoutFile = isPrivate ? sandboxPolicy : userPolicy;
  return { common: written === undefined ? withoutFile : mergePolicy(userPolicy, written), written, path, isPrivate };
}

/** What the text of a policy says, or everything that is wrong with it. */
export async function readPolicy(path: string, text: string): Promise<Result<Written>> {
  // Who has no policy does not pay for what reads one.
  const { readPolicyText } = await import("./schema.ts");
  const read = readPolicyText(text);
  return "value" in read ? succeed(read.value) : fail(describeProblems(path, read.problems));
}

/** Of the parts of the file that are meant for clients, the first that fits. */
export function partFor(written: Written | undefined, client: string): ClientPart | undefined {
  return written?.clients.find(({ name }) => matches(name, client));
}

/** What holds for one client. */
export function policyFor({ common, written }: Pick<LoadedPolicy, "common" | "written">, client: string): Policy {
  const part = partFor(written, client);
  if (part === undefined) return common;
  return {
    ...common,
    actionsPerMinute: part.actionsPerMinute ?? common.actionsPerMinute,
    sensitive: part.sensitive ?? common.sensitive,
    isReadOnly: part.readOnly ?? common.isReadOnly,
    rules: [...part.rules, ...common.rules],
  };
}

export function mergePolicy(defaults: Policy, written: Written): Policy {
  return {
    actionsPerMinute: written.actionsPerMinute ?? defaults.actionsPerMinute,
    sensitive: written.sensitive ?? defaults.sensitive,
    isReadOnly: written.readOnly ?? defaults.isReadOnly,
    standings: mergeStandings(defaults.standings, written.apps),
    rules: [...written.rules, ...defaults.rules],
    words: { ...defaults.words, ...written.words },
    hasHotkey: written.hotkey ?? defaults.hasHotkey,
  };
}

/**
 * Who names one of an application's names in the lists means the application, and the strictest of what is said of it;
 * what is named itself comes first.
 */
function mergeStandings(
  defaults: ReadonlyMap<string, Standing>,
  apps: ReadonlyMap<string, Standing>,
): ReadonlyMap<string, Standing> {
  const byStrictness = [...apps].toSorted(([, one], [, other]) => standings.indexOf(other) - standings.indexOf(one));
  const meant = byStrictness.flatMap(([name, standing]) =>
    listDefaultNames(name).map((one) => [one, standing] as const),
  );
  return new Map([...defaults, ...meant, ...apps]);
}

/** The text of a file that only its user can have written; undefined where there is none. */
export function readOwnFile(path: string): Result<string | undefined> {
  let descriptor: number | undefined;
  try {
    // Without waiting: a pipe in its place would hold everything up for ever.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { mode, uid, size } = fstatSync(descriptor);
    const unfit = describeUnfit(path, mode, uid, size) ?? describeUnfitFolder(path);
    if (unfit !== undefined) return fail(unfit);
    return succeed(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(descriptor)));
  } catch (error) {
    if (isMissing(error) && !isThere(path)) return succeed(undefined);
    return fail(describeBroken(`${path}: ${explain(error)}`));
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** The text of a file that somebody names, whoever may write it. */
export function readAnyFile(path: string): Result<string> {
  try {
    const { mode, uid, size } = statSync(path);
    const unfit = describeUnfit(path, mode & ~writableByOthers, user.id() ?? uid, size);
    if (unfit !== undefined) return fail(unfit);
    return succeed(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    return fail(describeBroken(`${path}: ${explain(error)}`));
  }
}

const kindMask = 0o170000;
const regularFile = 0o100000;

function describeUnfit(path: string, mode: number, uid: number, size: number): Failure | undefined {
  if ((mode & kindMask) !== regularFile) return describeBroken(`${path} is no file`);
  if (size > mostBytes) return describeBroken(`${path} has ${size} bytes, and a policy has at most ${mostBytes}`);
  return describeForeign(path, mode, uid);
}

/** Who may write the folder could put another file in its place. */
function describeUnfitFolder(path: string): Failure | undefined {
  for (const folder of new Set([dirname(path), dirname(realpathSync(path))])) {
    const { mode, uid } = statSync(folder);
    const unfit = describeForeign(folder, mode, uid);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}

function describeForeign(path: string, mode: number, uid: number): Failure | undefined {
  const own = user.id() ?? uid;
  if (uid !== own && uid !== 0) return describeBroken(`${path} belongs to another user`, `chown ${own} '${path}'`);
  if ((mode & writableByOthers) === 0) return undefined;
  return describeBroken(`${path} can be written by other users`, `chmod go-w '${path}'`);
}

function explain(error: unknown): string {
  if (error instanceof TypeError) return "it is not UTF-8 text";
  return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** A link that leads nowhere is there all the same, and somebody meant something by it. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export function showProblem(path: string, { line, column, text }: Problem): string {
  return `${path}:${line}:${column}: ${text}`;
}

function describeProblems(path: string, [first, ...more]: readonly [Problem, ...Problem[]]): Failure {
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return describeBroken(`${showProblem(path, first)}${others}`);
}

function describeBroken(message: string, mend?: string): Failure {
  const suggestion = mend ?? "mend it; deskmap policy check tells everything that is wrong";
  return { code: "REFUSED", reason: "policy", message, suggestion, done: nothingDone };
}

function sayClosed(failure: Failure): Failure {
  return { ...failure, suggestion: `${failure.suggestion}. Until then nothing is looked at or done.` };
}
