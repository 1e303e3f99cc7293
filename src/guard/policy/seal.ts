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
import { type Failure, nothingDone } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { makeStateFolder, type Places } from "../places.ts";
import { loadSealKey, readSealKey, sealText } from "../seal-key.ts";

/** The policy as a person has accepted it. */
export interface Seal {
  readonly atMs: number;
  readonly text: string;
}

/** Between the making of a seal and the last touch of its file. */
const writingMs = 5000;

const notOurs = "its seal was not made by Deskmap on this account";
const moved = "its seal was copied, moved or set back since it was made";

/**
 * What a person has accepted; undefined where nothing ever was. The system's own time of the last change cannot be set, so
 * that an older policy does not come back with a copy of its seal.
 */
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
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    return { problem: notOurs };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Puts the seal on what a person has accepted; without a text, that there is no policy file. Only under the guard's lock. */
export function writeSeal(places: Places, text: string | undefined): void {
  makeStateFolder(places);
  if (text === undefined) return rmSync(places.seal, { force: true });
  const key = loadSealKey(places);
  const draft = `${places.seal}.new`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    // By the clock of whoever keeps the file: it is compared with that clock later.
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

/** Why a policy, or that there is none, does not hold; undefined where a person has accepted exactly that. */
export function findUnaccepted(places: Places, text: string | undefined): Failure | undefined {
  const seal = readSeal(places);
  const { policy: path } = places;
  if (seal === undefined) return text === undefined ? undefined : describeUnaccepted(`${path} was never accepted`);
  if ("problem" in seal) return describeUnaccepted(`${path} does not hold: ${seal.problem}`);
  if (seal.text === text) return undefined;
  const when = showLocalTime(seal.atMs);
  if (text !== undefined) return describeUnaccepted(`${path} was changed since it was accepted at ${when}`);
  return describeUnaccepted(`${path} is gone, which was accepted at ${when}`, "put it back; or ");
}

function describeUnaccepted(message: string, first = ""): Failure {
  return {
    code: "REFUSED",
    reason: "policy",
    message: `${message}: a policy holds when a person has accepted it`,
    suggestion: `${first}a person runs deskmap policy accept in a terminal, which shows what would change`,
    done: nothingDone,
  };
}
