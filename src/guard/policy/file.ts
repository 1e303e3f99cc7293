import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf, messageOf } from "../../model/caught.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { user } from "../../os/index.ts";
import { lockBriefly } from "../lock.ts";
import type { Places } from "../places.ts";
import { refuse } from "../refusals.ts";
import { listDefaultNames, userPolicy } from "./defaults.ts";
import { matches, type Policy, pickStrictest, type Standing, sandboxPolicy, standings } from "./policy.ts";
import type { ClientPart, Problem, Written } from "./schema.ts";
import { findUnaccepted } from "./seal.ts";

export interface LoadedPolicy {
  /** For a client that the file does not name. */
  readonly common: Policy;
  readonly written: Written | undefined;
  readonly path: string;
  readonly isPrivate: boolean;
}

const mostBytes = 1_000_000;
const writableByOthers = 0o022;

/**
 * The policy of a desktop. Settings that a file leaves out have the defaults of a person's own desktop, on a private
 * desktop as well; only a private desktop without a file has no limits. An invalid file is refused. So is one that no
 * person has accepted, except on a private desktop, which contains nothing of the user's.
 */
export async function loadPolicy(
  places: Places,
  isPrivate: boolean,
  isSecondTry = false,
): Promise<Result<LoadedPolicy>> {
  const read = await readPolicyFile(places);
  if (!read.ok) return fail(sayClosed(read.failure));
  const { text, written } = read.value;
  const unaccepted = isPrivate ? undefined : findUnaccepted(places, text);
  if (unaccepted !== undefined && !isSecondTry && waitForWriter(places)) return loadPolicy(places, isPrivate, true);
  if (unaccepted !== undefined) return fail(sayClosed(unaccepted));
  const withoutFile = isPrivate ? sandboxPolicy : userPolicy;
  const common = written === undefined ? withoutFile : mergePolicy(userPolicy, written);
  return succeed({ common, written, path: places.policy, isPrivate });
}

/** Waits while a person's command writes the file and its seal under the lock. False if nothing can be locked. */
function waitForWriter({ lock }: Places): boolean {
  try {
    lockBriefly(lock)?.release();
    return true;
  } catch {
    return false;
  }
}

/** Both undefined if there is no file. */
export async function readPolicyFile({
  policy: path,
}: Places): Promise<Result<{ readonly text: string | undefined; readonly written: Written | undefined }>> {
  const text = readOwnFile(path);
  if (!text.ok) return text;
  if (text.value === undefined) return succeed({ text: undefined, written: undefined });
  const written = await readPolicy(path, text.value);
  return written.ok ? succeed({ text: text.value, written: written.value }) : written;
}

export async function readPolicy(path: string, text: string): Promise<Result<Written>> {
  // Loaded lazily: without a policy file the parsers are not needed.
  const { readPolicyText } = await import("./schema.ts");
  const read = readPolicyText(text);
  return "value" in read ? succeed(read.value) : fail(describeProblems(path, read.problems));
}

export function partFor(written: Written | undefined, client: string): ClientPart | undefined {
  return written?.clients.find(({ name }) => matches(name, client));
}

/** For a client whose name is certain. */
export function policyFor({ common, written }: Pick<LoadedPolicy, "common" | "written">, client: string): Policy {
  const part = partFor(written, client);
  return part === undefined ? common : override(common, part);
}

/** Ends no written name, so that it stands for all names that no entry names in full. */
const anyEnding = "\0";

/**
 * One name for each way in which the entries of a file can apply: each name that is written in full, one for each that
 * ends in `*`, and one that is written nowhere.
 */
export function listGuiseNames(written: Written | undefined): readonly string[] {
  const parts = written?.clients.map(({ name }) => name) ?? [];
  const named = written?.rules.flatMap(({ clients = [] }) => clients) ?? [];
  const full = [...parts, ...named].map((name) => (name.endsWith("*") ? `${name.slice(0, -1)}${anyEnding}` : name));
  return [...new Set([anyEnding, ...full])];
}

/** For a client whose name is only claimed: of everything that it could be, the strictest. */
export function policyForAny(loaded: Pick<LoadedPolicy, "common" | "written">): Policy {
  const each = listGuiseNames(loaded.written).map((client) => ({ client, ...policyFor(loaded, client) }));
  if (each.length === 1) return policyFor(loaded, anyEnding);
  const limits = each.map(({ actionsPerMinute }) => actionsPerMinute).filter((limit) => limit > 0);
  return {
    ...loaded.common,
    actionsPerMinute: limits.length === 0 ? 0 : Math.min(...limits),
    sensitive: pickStrictest(each.map(({ sensitive }) => sensitive)),
    isReadOnly: each.some(({ isReadOnly }) => isReadOnly),
    rules: [...new Set(each.flatMap(({ rules }) => rules))],
    guises: each.map(({ client, sensitive, rules }) => ({ client, sensitive, rules })),
  };
}

export function mergePolicy(defaults: Policy, written: Written): Policy {
  return {
    ...override(defaults, written),
    standings: mergeStandings(defaults.standings, written.apps),
    words: { ...defaults.words, ...written.words },
    localOnly: [...new Set((written.localOnly ?? []).flatMap((name) => listDefaultNames(name.toLowerCase())))],
    hasHotkey: written.hotkey ?? defaults.hasHotkey,
  };
}

function override(base: Policy, { actionsPerMinute, sensitive, readOnly, rules }: Omit<ClientPart, "name">): Policy {
  return {
    ...base,
    actionsPerMinute: actionsPerMinute ?? base.actionsPerMinute,
    sensitive: sensitive ?? base.sensitive,
    isReadOnly: readOnly ?? base.isReadOnly,
    rules: [...rules, ...base.rules],
  };
}

/** An entry for one name of a listed application applies to all its names, unless they have entries of their own. */
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

/** The text of a file that only its user can have written; undefined if there is none. */
export function readOwnFile(path: string): Result<string | undefined> {
  try {
    return readText(path, ({ mode, uid }) => describeForeign(path, mode, uid) ?? describeForeignFolder(path));
  } catch (error) {
    // A dangling link is an error: somebody meant something by it.
    if (codeOf(error) === "ENOENT" && lstatSync(path, { throwIfNoEntry: false }) === undefined)
      return succeed(undefined);
    return fail(describeUnreadable(path, error));
  }
}

/** The text of a file that a person names, whoever may write it. */
export function readAnyFile(path: string): Result<string> {
  try {
    return readText(path, () => undefined);
  } catch (error) {
    return fail(describeUnreadable(path, error));
  }
}

function readText(path: string, findForeign: (stat: Stats) => Failure | undefined): Result<string> {
  // A pipe in its place would otherwise block for ever.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return fail(describeBroken(`${path} is not a file`));
    const tooLong = `${path} has ${stat.size} bytes; a policy has at most ${mostBytes}`;
    const unfit = stat.size > mostBytes ? describeBroken(tooLong) : findForeign(stat);
    if (unfit !== undefined) return fail(unfit);
    return succeed(new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(descriptor)));
  } finally {
    closeSync(descriptor);
  }
}

/** Whoever may write the folder could replace the file. */
function describeForeignFolder(path: string): Failure | undefined {
  for (const folder of new Set([dirname(path), dirname(realpathSync(path))])) {
    const { mode, uid } = statSync(folder);
    const foreign = describeForeign(folder, mode, uid);
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

function describeForeign(path: string, mode: number, uid: number): Failure | undefined {
  const own = user.id() ?? uid;
  if (uid !== own && uid !== 0) return describeBroken(`${path} belongs to another user`, `chown ${own} '${path}'`);
  if ((mode & writableByOthers) === 0) return undefined;
  return describeBroken(`${path} can be written by other users`, `chmod go-w '${path}'`);
}

function describeUnreadable(path: string, error: unknown): Failure {
  const why = error instanceof TypeError ? "it is not UTF-8 text" : `it cannot be read: ${messageOf(error)}`;
  return describeBroken(`${path}: ${why}`);
}

export function showProblem(path: string, { line, column, text }: Problem): string {
  return `${path}:${line}:${column}: ${text}`;
}

function describeProblems(path: string, [first, ...more]: readonly [Problem, ...Problem[]]): Failure {
  const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
  return describeBroken(`${showProblem(path, first)}${others}`);
}

function describeBroken(message: string, mend?: string): Failure {
  return refuse("policy", message, mend ?? "correct it; deskmap policy check lists every problem");
}

function sayClosed(failure: Failure): Failure {
  return { ...failure, suggestion: `${failure.suggestion}. Until then nothing is read or done.` };
}
