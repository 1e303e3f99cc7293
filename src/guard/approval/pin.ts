import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, scryptSync, sign } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { lockBriefly } from "../lock.ts";
import { findPlaces, makeStateFolder, type Places, readIfThere, readStored, replaceFile } from "../places.ts";
import { refuse } from "../refusals.ts";
import { isSigned, type SurfaceRecord } from "./surface.ts";
import { Terminal } from "./terminal.ts";

/**
 * The stored form of a PIN: the public half of the key that scrypt derives from it. Whoever knows the PIN can sign, so a
 * surface can prove that it was opened with the PIN.
 */
const storedPin = z.object({ salt: z.string().check(z.regex(/^[0-9a-f]{32}$/)), publicKey: z.string() });
export type Pin = z.infer<typeof storedPin>;

const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 << 20 } as const;
export const leastPinLength = 4;
const freeTries = 3;
const firstWaitMs = 30_000;
const longestWaitMs = 3_600_000;
/** The PKCS #8 prefix of an Ed25519 key, RFC 8410. */
const keyPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

export function readPin({ pin: path }: Places): Pin | "damaged" | undefined {
  try {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    const pin = readStored(storedPin, text);
    return pin !== undefined && isPublicKey(pin.publicKey) ? pin : "damaged";
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
  replaceFile(places.pin, text);
}

export function removePin(places: Places): void {
  rmSync(places.pin, { force: true });
}

/** Whether a surface was opened with the PIN. */
export function isVouched({ publicKey }: Pin, surface: SurfaceRecord): boolean {
  return surface.voucher !== undefined && isSigned(publicKey, voucherText(surface.publicKey), surface.voucher);
}

export function vouch(key: KeyObject, surfaceKey: string): string {
  return sign(null, voucherText(surfaceKey), key).toString("base64");
}

function voucherText(surfaceKey: string): Buffer {
  return Buffer.from(JSON.stringify(["deskmap surface", surfaceKey]));
}

/** Asks for the PIN, up to three times, without showing it. */
export async function askForPin(
  places: Places,
  pin: Pin,
  terminal: Terminal,
  isOver: () => boolean,
): Promise<Result<KeyObject>> {
  for (let tries = 0; tries < freeTries; tries += 1) {
    const typed = await terminal.askHidden("type the PIN of Deskmap, then Enter: ", isOver);
    if (typed === undefined || typed === "") return fail(deny("the PIN was not typed", "try again."));
    const key = tryPin(places, pin, typed);
    if (key.ok || tries === freeTries - 1 || key.failure.retryAfterMs !== undefined) return key;
    terminal.write("That is not the PIN. Once more, ");
  }
  return fail(deny("the PIN is wrong", "try again."));
}

/** One try. It is counted before it is checked, so that a crash does not make it free. */
export function tryPin(places: Places, pin: Pin, typed: string, nowMs = Date.now()): Result<KeyObject> {
  makeStateFolder(places);
  const lock = lockBriefly(`${places.state}/pin.lock`);
  if (lock === undefined) return fail(deny("another process is trying a PIN now", "try again."));
  try {
    const before = readTries(places);
    if (before === "damaged") return fail(describeDamaged({ pin: triesPath(places) }));
    const waitMs = waitAfter(before, nowMs);
    if (waitMs > 0) return fail({ ...describeWait(waitMs), retryAfterMs: waitMs });
    replaceFile(triesPath(places), JSON.stringify({ failed: before.failed + 1, atMs: nowMs } satisfies Tries));
    const key = deriveKey(typed, pin.salt);
    if (publicHalfOf(key) !== pin.publicKey) return fail(deny("the PIN is wrong", "try again."));
    rmSync(triesPath(places), { force: true });
    return succeed(key);
  } finally {
    lock.release();
  }
}

const storedTries = z.object({ failed: z.number(), atMs: z.number() });
type Tries = z.infer<typeof storedTries>;

function waitAfter({ failed, atMs }: Tries, nowMs: number): number {
  if (failed < freeTries) return 0;
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (failed - freeTries));
  // Setting the clock back does not shorten the wait.
  return Math.min(wait, Math.max(0, atMs + wait - nowMs));
}

function triesPath({ state }: Pick<Places, "state">): string {
  return join(state, "pin-tries.json");
}

function readTries(places: Places): Tries | "damaged" {
  try {
    const text = readIfThere(triesPath(places));
    return text === undefined ? { failed: 0, atMs: 0 } : (readStored(storedTries, text) ?? "damaged");
  } catch {
    return "damaged";
  }
}

function deriveKey(pin: string, salt: string): KeyObject {
  const seed = scryptSync(pin.normalize("NFC"), Buffer.from(salt, "hex"), 32, cost);
  return createPrivateKey({ key: Buffer.concat([keyPrefix, seed]), format: "der", type: "pkcs8" });
}

function publicHalfOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
}

export function describeDamaged({ pin }: Pick<Places, "pin">): Failure {
  return deny(`${pin} is damaged, so the PIN cannot be checked`, "remove that file by hand.");
}

function describeWait(waitMs: number): Failure {
  const seconds = Math.ceil(waitMs / 1000);
  return deny(`the PIN was wrong too often: the next try is possible in ${seconds} s`, "wait that long.");
}

function deny(message: string, suggestion: string): Failure {
  return refuse("denied", message, suggestion);
}

/**
 * Succeeds only if a person says yes at this process's own terminal. Standard input does not count: a client could pipe
 * anything into it. docs/security.md says what a program can do that makes a terminal of its own.
 */
export async function confirmAtTerminal(
  question: string,
  { word = "yes", places = findPlaces(process.env) }: { readonly word?: string; readonly places?: Places } = {},
): Promise<Result<void>> {
  const terminal = Terminal.open();
  if (terminal === undefined) return fail(describeNoTerminal());
  try {
    const pin = readPin(places);
    if (pin === "damaged") return fail(describeDamaged(places));
    terminal.write(`${question}\n`);
    // The PIN replaces a plain yes, but not another word.
    if (word !== "yes" || pin === undefined) {
      const typed = await terminal.ask(`Type ${word} to allow it: `, () => false);
      if (typed?.trim().toLowerCase() !== word) {
        return fail(makeFailure("REFUSED", "it was not confirmed", undefined, { reason: "denied" }));
      }
    }
    if (pin === undefined) return succeed(undefined);
    terminal.write("To allow it, ");
    const key = await askForPin(places, pin, terminal, () => false);
    return key.ok ? succeed(undefined) : key;
  } finally {
    terminal.close();
  }
}

export function describeNoTerminal(): Failure {
  return refuse("unasked", "only a person at a terminal may do this", "run it in a terminal window.");
}
