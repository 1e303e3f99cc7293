import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Env } from "../../../model/env.ts";
import { folders } from "../../../os/index.ts";

export interface Cookie {
  readonly name: string;
  readonly data: Buffer;
}

const anyHost = 0xffff;
const localHost = 256;

/** The X authority entry of a local display; undefined if there is none (the server may still accept us). */
export function findCookie(env: Env, display: string): Cookie | undefined {
  const path = env.XAUTHORITY ?? join(folders.home(env), ".Xauthority");
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const host = hostname();
  let at = 0;
  while (at + 2 <= bytes.length) {
    const family = bytes.readUInt16BE(at);
    at += 2;
    const fields: Buffer[] = [];
    for (let index = 0; index < 4; index += 1) {
      if (at + 2 > bytes.length) return undefined;
      const length = bytes.readUInt16BE(at);
      if (at + 2 + length > bytes.length) return undefined;
      fields.push(bytes.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    const [address, number, name, data] = fields;
    if (address === undefined || number === undefined || name === undefined || data === undefined) return undefined;
    const isHere = family === anyHost || (family === localHost && address.toString() === host);
    const isDisplay = number.length === 0 || number.toString() === display;
    if (isHere && isDisplay) return { name: name.toString(), data };
  }
  return undefined;
}
