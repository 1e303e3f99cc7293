import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { codeOf } from "../model/caught.ts";
import { user } from "../os/index.ts";
import { hashWithKey } from "./audit/chain.ts";
import { createOnce, makeStateFolder, type Places, readIfThere, UnsafePlace } from "./places.ts";

const logKeyBytes = 32;

/** The key of the log's hashes; undefined if it is missing. */
export function readLogKey({ key: path }: Places): Uint8Array | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const key = Buffer.from(text, "hex");
  if (key.length !== logKeyBytes) throw new UnsafePlace(`${path} is damaged`);
  return key;
}

export function loadLogKey(places: Places): Uint8Array {
  return loadKey(
    places,
    places.key,
    () => readLogKey(places),
    () => makeRandom(logKeyBytes).toString("hex"),
  );
}

/** For the accepted policy and for grants. Binary, after a zero byte: no text editor shows or replaces it whole. */
const sealKeyBytes = 33;
const reachableByOthers = 0o077;

/** Undefined if it is missing. */
export function readSealKey({ sealKey: path }: Places): Uint8Array | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    const isOwn = stat.isFile() && user.owns(stat) && (stat.mode & reachableByOthers) === 0;
    const key = isOwn && stat.size === sealKeyBytes ? readFileSync(descriptor) : undefined;
    if (key === undefined || key.length !== sealKeyBytes || key[0] !== 0) throw new UnsafePlace(`${path} is damaged`);
    return key;
  } finally {
    closeSync(descriptor);
  }
}

export function loadSealKey(places: Places): Uint8Array {
  return loadKey(
    places,
    places.sealKey,
    () => readSealKey(places),
    () => makeRandom(sealKeyBytes).fill(0, 0, 1),
  );
}

/** A seal made for one purpose is invalid for any other. */
export function sealText(key: Uint8Array, purpose: "policy" | "grant" | "recipient", text: string): string {
  return hashWithKey(key, `deskmap ${purpose}\n${text}`);
}

function loadKey(
  places: Places,
  path: string,
  read: () => Uint8Array | undefined,
  make: () => string | Uint8Array,
): Uint8Array {
  makeStateFolder(places);
  const known = read();
  if (known !== undefined) return known;
  createOnce(path, make());
  const made = read();
  if (made === undefined) throw new UnsafePlace(`${path} cannot be created`);
  return made;
}

function makeRandom(bytes: number): Buffer {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
}
