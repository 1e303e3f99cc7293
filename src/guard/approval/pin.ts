import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, scryptSync, sign } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { lockBriefly } from "../lock.ts";
import { makeStateFolder, type Places } from "../places.ts";
import { isSigned, type SurfaceNote } from "./surface.ts";
import type { Terminal } from "./terminal.ts";

/**
 * A PIN as it is kept: of the key that scrypt makes of it, the public half. Knowing the PIN is being able to sign, so a
 * surface that was opened with it can prove that to everybody.
 */
export interface Pin {
  readonly salt: string;
  readonly publicKey: string;
}

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 << 20 } as const;
export const leastPinLength = 4;
const freeTries = 3;
const firstWaitMs = 30_000;
const longestWaitMs = 3_600_000;
/** RFC 8410: what stands before the 32 bytes of an Ed25519 key. */
const keyPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

export function readPin({ pin }: Places): Pin | "damaged" | undefined {
  if (!existsSync(pin)) return undefined;
  try {
    const { salt, publicKey }: { salt?: unknown; publicKey?: unknown } = JSON.parse(readFileSync(pin, "utf8"));
    const isWhole = typeof salt === "string" && /^[0-9a-f]{32}$/.test(salt) && typeof publicKey === "string";
    return isWhole && isPublicKey(publicKey) ? { salt, publicKey } : "damaged";
  } catch {
    return "damaged";
  }
}

function isPublicKey(text: string): boolean {
  const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
  return key.asymmetricKeyType === "ed25519";
}

export function savePin(places: Places, pin: string): void {
  const salt = randomBytes(16).toString("hex");
  const text = JSON.stringify({ salt, publicKey: publicHalfOf(deriveKey(pin, salt)) });
  mkdirSync(dirname(places.pin), { recursive: true, mode: 0o700 });
  writeFileSync(`${places.pin}.new`, text, { mode: 0o600 });
  renameSync(`${places.pin}.new`, places.pin);
}

export function removePin(places: Places): void {
  rmSync(places.pin, { force: true });
}

/** Whether a surface was opened by somebody who knew the PIN. */
export function isVouched({ publicKey }: Pin, surface: SurfaceNote): boolean {
  return surface.voucher !== undefined && isSigned(publicKey, voucherText(surface.publicKey), surface.voucher);
}

export function vouch(key: KeyObject, surfaceKey: string): string {
  return sign(null, voucherText(surfaceKey), key).toString("base64");
}

function voucherText(surfaceKey: string): Buffer {
  return Buffer.from(JSON.stringify(["deskmap surface", surfaceKey]));
}

/** Asks for the PIN, which is not shown, some times. */
export async function askForPin(
  places: Places,
  pin: Pin,
  terminal: Terminal,
  isOver: () => boolean,
): Promise<Result<KeyObject>> {
  for (let tries = 0; tries < freeTries; tries += 1) {
    const typed = await terminal.askHidden("type the PIN of Deskmap, then Enter: ", isOver);
    if (typed === undefined || typed === "") return fail(refuse("the PIN was not typed", "try again."));
    const key = tryPin(places, pin, typed);
    if (key.ok || tries === freeTries - 1 || key.failure.retryAfterMs !== undefined) return key;
    terminal.write("That is not the PIN. Once more, ");
  }
  return fail(refuse("the PIN is wrong", "try again."));
}

/** One try: it is counted before it is judged, so that no crash makes it free. */
export function tryPin(places: Places, pin: Pin, typed: string, nowMs = Date.now()): Result<KeyObject> {
  makeStateFolder(places);
  const lock = lockBriefly(`${places.state}/pin.lock`, 5000);
  if (lock === undefined) return fail(refuse("another process is trying a PIN now", "try again."));
  try {
    const before = readTries(places);
    if (before === "damaged") return fail(describeDamaged({ pin: triesPath(places) }));
    const waitMs = waitAfter(before, nowMs);
    if (waitMs > 0) return fail({ ...refuseForNow(waitMs), retryAfterMs: waitMs });
    saveTries(places, { failed: before.failed + 1, atMs: nowMs });
    const key = deriveKey(typed, pin.salt);
    if (publicHalfOf(key) !== pin.publicKey) return fail(refuse("the PIN is wrong", "try again."));
    rmSync(triesPath(places), { force: true });
    return succeed(key);
  } finally {
    lock.release();
  }
}

interface Tries {
  readonly failed: number;
  readonly atMs: number;
}

function waitAfter({ failed, atMs }: Tries, nowMs: number): number {
  if (failed < freeTries) return 0;
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (failed - freeTries));
  // A clock that was set back does not shorten it.
  return Math.min(wait, Math.max(0, atMs + wait - nowMs));
}

function triesPath({ state }: Pick<Places, "state">): string {
  return join(state, "pin-tries.json");
}

function readTries(places: Places): Tries | "damaged" {
  if (!existsSync(triesPath(places))) return { failed: 0, atMs: 0 };
  try {
    const { failed, atMs }: { failed?: unknown; atMs?: unknown } = JSON.parse(readFileSync(triesPath(places), "utf8"));
    return typeof failed === "number" && typeof atMs === "number" ? { failed, atMs } : "damaged";
  } catch {
    return "damaged";
  }
}

function saveTries(places: Places, tries: Tries): void {
  writeFileSync(`${triesPath(places)}.new`, JSON.stringify(tries), { mode: 0o600 });
  renameSync(`${triesPath(places)}.new`, triesPath(places));
}

function deriveKey(pin: string, salt: string): KeyObject {
  const seed = scryptSync(pin.normalize("NFC"), Buffer.from(salt, "hex"), 32, cost);
  return createPrivateKey({ key: Buffer.concat([keyPrefix, seed]), format: "der", type: "pkcs8" });
}

function publicHalfOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}

export function describeDamaged({ pin }: Pick<Places, "pin">): Failure {
  return refuse(`${pin} is damaged, so nobody can prove to be the one who set the PIN`, "remove that file by hand.");
}

function refuseForNow(waitMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000);
  return refuse(`the PIN was wrong too often: the next try is in ${seconds} s`, "wait that long.");
}

function refuse(message: string, suggestion: string): Failure {
  return { code: "REFUSED", reason: "denied", message, suggestion, done: nothingDone };
}
