import { closeSync, fsyncSync, mkdirSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { applyEdits, modify, parseTree } from "jsonc-parser";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { lockBriefly } from "../lock.ts";
import { makeStateFolder, type Places } from "../places.ts";
import { type LoadedPolicy, readOwnFile, readPolicy } from "./file.ts";
import type { Standing } from "./policy.ts";
import { findUnaccepted, readSeal, writeSeal } from "./seal.ts";

const lockTimeoutMs = 5000;

const header =
  "// What Deskmap may look at and do. deskmap policy show tells what holds, deskmap policy check whether this is right.";

/** Says nothing but what holds without a file; a private desktop has no limit until its file says otherwise. */
function draftPolicy(isPrivate: boolean): string {
  const settings = isPrivate ? ['  "actionsPerMinute": 0,', '  "sensitive": "allow",', '  "hotkey": false'] : [];
  return [header, "{", ...settings, "}", ""].join("\n");
}

/** Changes how applications stand. Comments and layout stay; the file is written whole or not at all. */
export async function changeStandings(
  { isPrivate }: Pick<LoadedPolicy, "isPrivate">,
  places: Places,
  names: readonly string[],
  standing: Standing,
): Promise<Result<void>> {
  makeStateFolder(places);
  const lock = lockBriefly(places.lock, lockTimeoutMs);
  if (lock === undefined) return fail(describeUnwritten(places, "another process does not let go of it"));
  try {
    const text = readOwnFile(places.policy);
    if (!text.ok) return text;
    // What nobody has accepted would be accepted together with the change.
    const unaccepted = isPrivate ? undefined : findUnaccepted(places, text.value);
    if (unaccepted !== undefined) return fail(unaccepted);
    const before = text.value ?? draftPolicy(isPrivate);
    // What is broken is not mended by writing into it.
    const read = await readPolicy(places.policy, before);
    if (!read.ok) return read;
    const after = names.reduce((one, name) => setStanding(one, name, standing), before);
    const again = await readPolicy(places.policy, after);
    if (!again.ok) return again;
    const wanted = new Map([...read.value.apps, ...names.map((name) => [name.toLowerCase(), standing] as const)]);
    const isAsWanted = [...wanted].every(([name, one]) => again.value.apps.get(name) === one);
    if (!isAsWanted || again.value.apps.size !== wanted.size) throw new Error("the policy was not changed as wanted");
    return isPrivate ? writeWhole(places, after) : writeSealed(places, after, text.value);
  } finally {
    lock.release();
  }
}

/** The text with one application standing otherwise, under the spelling that it has there already. */
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

/** Writes a policy that a person has decided on: the seal first, which is put back where the file cannot be written. */
function writeSealed(places: Places, text: string, before: string | undefined): Result<void> {
  try {
    writeSeal(places, text);
  } catch (error) {
    return fail(describeUnwritten(places, error instanceof Error ? error.message : String(error)));
  }
  const written = writeWhole(places, text);
  if (written.ok) return written;
  try {
    writeSeal(places, before);
  } catch {
    // What then does not hold is told by every command, with the way out: the failure that led here counts now.
  }
  return written;
}

/**
 * Begins a policy that says nothing but what holds without one. It needs no person's word, but where another policy was
 * accepted before, which is gone.
 */
export function beginPolicy(places: Places, text: string, isPrivate: boolean): Result<{ readonly holds: boolean }> {
  try {
    makeStateFolder(places);
    const lock = lockBriefly(places.lock, lockTimeoutMs);
    if (lock === undefined) return fail(describeUnwritten(places, "another process does not let go of it"));
    try {
      const isFirst = readSeal(places) === undefined;
      const written = isFirst && !isPrivate ? writeSealed(places, text, undefined) : writeWhole(places, text);
      return written.ok ? succeed({ holds: isFirst || isPrivate }) : written;
    } finally {
      lock.release();
    }
  } catch (error) {
    return fail(describeUnwritten(places, error instanceof Error ? error.message : String(error)));
  }
}

/** What a person has read and accepted, at a terminal: this very text, or that there is none. */
export function acceptPolicy(places: Places, text: string | undefined): Result<void> {
  try {
    makeStateFolder(places);
    const lock = lockBriefly(places.lock, lockTimeoutMs);
    if (lock === undefined) return fail(describeUnsealed(places, "another process does not let go of it"));
    try {
      writeSeal(places, text);
      return succeed(undefined);
    } finally {
      lock.release();
    }
  } catch (error) {
    return fail(describeUnsealed(places, error instanceof Error ? error.message : String(error)));
  }
}

/** Through a file of its own beside it, so that nobody ever reads half of it; only the user can read or write it. */
function writeWhole(places: Places, text: string): Result<void> {
  const draft = `${places.policy}.${process.pid}.new`;
  try {
    mkdirSync(dirname(places.policy), { recursive: true, mode: 0o700 });
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, followLink(places.policy));
    return succeed(undefined);
  } catch (error) {
    rmSync(draft, { force: true });
    return fail(describeUnwritten(places, error instanceof Error ? error.message : String(error)));
  }
}

/** A link to a file that is kept elsewhere stays one. */
function followLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function describeUnsealed({ seal }: Places, why: string): Failure {
  return describeUnwritten({ policy: seal }, why);
}

function describeUnwritten({ policy }: Pick<Places, "policy">, why: string): Failure {
  return {
    code: "FAILED",
    message: `${policy} cannot be written: ${why}`,
    suggestion: "make its directory writable, or free some space.",
    done: nothingDone,
  };
}
