import { randomBytes } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

export const COOKIE_PROTOCOL = "MIT-MAGIC-COOKIE-1";

// Address families of the X authority file (libXau, Xauth.h).
const FAMILY_WILD = 65535;
const FAMILY_LOCAL = 256;

export function makeCookie(): Buffer {
  return randomBytes(16);
}

/** For the server, before its display number is known: an entry that matches every display. */
export function writeServerAuthority(path: string, cookie: Buffer): void {
  writeAuthority(path, [encodeEntry(FAMILY_WILD, "", "", cookie)]);
}

/** For clients: also an exact entry, for libraries that compare host and display literally. */
export function writeClientAuthority(path: string, cookie: Buffer, displayNumber: number): void {
  writeAuthority(path, [
    encodeEntry(FAMILY_LOCAL, hostname(), String(displayNumber), cookie),
    encodeEntry(FAMILY_WILD, "", "", cookie),
  ]);
}

function writeAuthority(path: string, entries: Buffer[]): void {
  const draft = `${path}.new`;
  writeFileSync(draft, Buffer.concat(entries), { mode: 0o600 });
  renameSync(draft, path);
}

function encodeEntry(family: number, address: string, displayNumber: string, cookie: Buffer): Buffer {
  const familyBytes = Buffer.alloc(2);
  familyBytes.writeUInt16BE(family);
  const fields = [Buffer.from(address), Buffer.from(displayNumber), Buffer.from(COOKIE_PROTOCOL), cookie];
  return Buffer.concat([familyBytes, ...fields.flatMap((field) => [encodeLength(field), field])]);
}

function encodeLength(field: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(field.length);
  return length;
}
