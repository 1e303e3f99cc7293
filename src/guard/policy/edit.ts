import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { applyEdits, modify, parseTree } from "jsonc-parser";
import { messageOf } from "../../model/caught.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { lockBriefly, whileLocked } from "../lock.ts";
import { makeStateFolder, type Places } from "../places.ts";
import { type LoadedPolicy, readOwnFile, readPolicy } from "./file.ts";
import type { Standing } from "./policy.ts";
import { findUnaccepted, readSeal, writeSeal } from "./seal.ts";

const header =
  "// What Deskmap may look at and do. deskmap policy show tells what holds, deskmap policy check whether this is right.";

/** Has the settings that apply without a file: a private desktop has no limits. */
function draftPolicy(isPrivate: boolean): string {
  const settings = isPrivate ? ['  "actionsPerMinute": 0,', '  "sensitive": "allow",', '  "hotkey": false'] : [];
  return [header, "{", ...settings, "}", ""].join("\n");
}

/** Sets the standing of applications. Keeps comments and layout; writes the file atomically. */
export async function changeStandings(
  { isPrivate }: Pick<LoadedPolicy, "isPrivate">,
  places: Places,
  names: readonly string[],
  standing: Standing,
): Promise<Result<void>> {
  makeStateFolder(places);
  const lock = lockBriefly(places.lock);
  if (lock === undefined) return fail(describeUnwritable(places.policy, "another process has locked it"));
  try {
    const text = readOwnFile(places.policy);
    if (!text.ok) return text;
    // The change must not accept, together with itself, what nobody has accepted.
    const unaccepted = isPrivate ? undefined : findUnaccepted(places, text.value);
    if (unaccepted !== undefined) return fail(unaccepted);
    const before = text.value ?? draftPolicy(isPrivate);
    // An invalid file is not edited.
    const read = await readPolicy(places.policy, before);
    if (!read.ok) return read;
    const after = names.reduce((one, name) => setStanding(one, name, standing), before);
    const again = await readPolicy(places.policy, after);
    if (!again.ok) return again;
    const wanted = new Map([...read.value.apps, ...names.map((name) => [name.toLowerCase(), standing] as const)]);
    const isAsWanted = [...wanted].every(([name, one]) => again.value.apps.get(name) === one);
    if (!isAsWanted || again.value.apps.size !== wanted.size) throw new Error("the edit of the policy went wrong");
    return isPrivate ? writeWhole(places.policy, after) : writeSealed(places, after, text.value);
  } finally {
    lock.release();
  }
}

/** Returns the text with the new standing, under the spelling that the file already has. */
export function setStanding(text: string, name: string, standing: Standing): string {
  const written = listAppNames(text).find((one) => one.toLowerCase() === name.toLowerCase());
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !/\n\t/.test(text), tabSize: 2, eol };
  return applyEdits(text, modify(text, ["apps", written ?? name], standing, { formattingOptions }));
}

function listAppNames(text: string): readonly string[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const apps = root?.children?.find(({ children }) => children?.[0]?.value === "apps")?.children?.[1];
  return apps?.children?.map(({ children }) => String(children?.[0]?.value)) ?? [];
}

/** Writes a policy that a person decided on: the seal first; it is restored if the file cannot be written. */
function writeSealed(places: Places, text: string, before: string | undefined): Result<void> {
  const sealed = attempt(places.policy, () => writeSeal(places, text));
  if (!sealed.ok) return sealed;
  const written = writeWhole(places.policy, text);
  // If this fails too, every command says that the policy does not apply; here the first failure is reported.
  if (!written.ok) attempt(places.seal, () => writeSeal(places, before));
  return written;
}

/** Creates a policy that changes nothing. No person need accept it, unless an accepted policy has disappeared. */
export function beginPolicy(places: Places, text: string, isPrivate: boolean): Result<{ readonly holds: boolean }> {
  const begun = attempt(places.policy, () =>
    changeLocked(places, () => {
      const isFirst = readSeal(places) === undefined;
      const written = isFirst && !isPrivate ? writeSealed(places, text, undefined) : writeWhole(places.policy, text);
      return written.ok ? succeed({ holds: isFirst || isPrivate }) : written;
    }),
  );
  return begun.ok ? begun.value : begun;
}

/** Accepts a policy that a person has read at a terminal: this very text, or that there is no file. */
export function acceptPolicy(places: Places, text: string | undefined): Result<void> {
  return attempt(places.seal, () => changeLocked(places, () => writeSeal(places, text)));
}

function changeLocked<T>(places: Places, work: () => T): T {
  makeStateFolder(places);
  return whileLocked(places.lock, work);
}

function attempt<T>(path: string, work: () => T): Result<T> {
  try {
    return succeed(work());
  } catch (error) {
    return fail(describeUnwritable(path, messageOf(error)));
  }
}

/** Through a draft beside it, so that nobody reads half of it. A link to a file elsewhere stays a link. */
function writeWhole(path: string, text: string): Result<void> {
  const draft = `${path}.${process.pid}.new`;
  return attempt(path, () => {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const descriptor = openSync(draft, "wx", 0o600);
      try {
        writeFileSync(descriptor, text);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(draft, existsSync(path) ? realpathSync(path) : path);
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

function describeUnwritable(path: string, why: string): Failure {
  return makeFailure("FAILED", `${path} cannot be written: ${why}`, "make its directory writable, or free some space.");
}
