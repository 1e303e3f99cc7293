import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { codeOf } from "../../model/caught.ts";
import type { Failure } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { loadSealKey, readSealKey, sealText } from "../keys.ts";
import { makeStateFolder, type Places } from "../places.ts";
import { refuse } from "../refusals.ts";

export interface Seal {
  readonly atMs: number;
  readonly text: string;
}

/** The longest time between a seal's timestamp and the change of its file. */
const writingMs = 5000;

const notOurs = "its seal was not made by Deskmap on this account";
const moved = "its seal was copied, moved or restored after it was made";

/** Undefined if nothing was ever accepted. ctime cannot be set: a copy of an older seal is noticed. */
export function readSeal(places: Places): Seal | undefined | { readonly problem: string } {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(places.seal, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { ctimeMs } = fstatSync(descriptor);
    const { atMs, text, hash } = JSON.parse(readFileSync(descriptor, "utf8"));
    const key = readSealKey(places);
    const isWhole = Number.isSafeInteger(atMs) && typeof text === "string" && typeof hash === "string";
    if (!isWhole || key === undefined || hash !== hashSeal(key, { atMs, text })) return { problem: notOurs };
    return Math.abs(ctimeMs - atMs) > writingMs ? { problem: moved } : { atMs, text };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    return { problem: notOurs };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Seals what a person accepted; no text means that there is no policy file. To be called under the guard's lock. */
export function writeSeal(places: Places, text: string | undefined): void {
  makeStateFolder(places);
  if (text === undefined) return rmSync(places.seal, { force: true });
  const key = loadSealKey(places);
  const draft = `${places.seal}.new`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    // The file system's clock, since readSeal compares it with ctime.
    const atMs = Math.round(fstatSync(descriptor).ctimeMs);
    writeSync(descriptor, JSON.stringify({ atMs, text, hash: hashSeal(key, { atMs, text }) }));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, places.seal);
}

function hashSeal(key: Uint8Array, { atMs, text }: Seal): string {
  return sealText(key, "policy", `${atMs}\n${text}`);
}

/** Why a policy, or its absence, does not apply; undefined if a person accepted exactly that. */
export function findUnaccepted(places: Places, text: string | undefined): Failure | undefined {
  const seal = readSeal(places);
  const { policy: path } = places;
  if (seal === undefined) return text === undefined ? undefined : describeUnaccepted(`${path} was never accepted`);
  if ("problem" in seal) return describeUnaccepted(`${path} does not apply: ${seal.problem}`);
  if (seal.text === text) return undefined;
  const when = showLocalTime(seal.atMs);
  if (text !== undefined) return describeUnaccepted(`${path} was changed since it was accepted at ${when}`);
  return describeUnaccepted(`${path} is gone, which was accepted at ${when}`, "put it back; or ");
}

function describeUnaccepted(message: string, first = ""): Failure {
  const suggestion = `${first}a person runs deskmap policy accept in a terminal, which shows what would change`;
  return refuse("policy", `${message}: a policy applies only after a person has accepted it`, suggestion);
}
