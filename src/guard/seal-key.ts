import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { user } from "../os/index.ts";
import { hashWithKey } from "./audit/chain.ts";
import { makeStateFolder, type Places, UnsafePlace } from "./places.ts";

/**
 * What makes seals: of the policy that a person has accepted, and of what a person has allowed for a while. It begins with a
 * zero byte and is no text, so that no text editor shows it whole or writes another in its place.
 */
const keyBytes = 33;
const reachableByOthers = 0o077;

/** Undefined where it is missing. */
export function readSealKey({ sealKey: path }: Places): Uint8Array | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    const isOwn = stat.isFile() && user.owns(stat) && (stat.mode & reachableByOthers) === 0;
    const key = isOwn && stat.size === keyBytes ? readFileSync(descriptor) : undefined;
    if (key === undefined || key.length !== keyBytes || key[0] !== 0) throw new UnsafePlace(`${path} is damaged`);
    return key;
  } finally {
    closeSync(descriptor);
  }
}

/** The same, made where it is missing; of two processes that make one, the first has made it. */
export function loadSealKey(places: Places): Uint8Array {
  const known = readSealKey(places);
  if (known !== undefined) return known;
  makeStateFolder(places);
  const draft = `${places.sealKey}.${process.pid}`;
  rmSync(draft, { force: true });
  const key = crypto.getRandomValues(new Uint8Array(keyBytes));
  key[0] = 0;
  writeFileSync(draft, key, { mode: 0o600, flag: "wx" });
  try {
    linkSync(draft, places.sealKey);
  } catch {
    // Another process has just made it.
  }
  rmSync(draft, { force: true });
  const made = readSealKey(places);
  if (made === undefined) throw new UnsafePlace(`${places.sealKey} cannot be made`);
  return made;
}

/** What is sealed for one purpose stands for nothing else. */
export function sealText(key: Uint8Array, purpose: "policy" | "grant", text: string): string {
  return hashWithKey(key, `deskmap ${purpose}\n${text}`);
}
