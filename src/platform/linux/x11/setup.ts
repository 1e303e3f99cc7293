import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Env } from "../../../model/env.ts";
import { folders } from "../../../os/index.ts";
import { pad4 } from "./wire.ts";

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

/** An X server's setup reply (X11 protocol, "Connection Setup"). */
export interface XSetup {
  readonly root: number;
  readonly width: number;
  readonly height: number;
  /** The screen's visual; described in `visuals`. */
  readonly rootVisual: number;
  /** The resource ids this client may allocate. */
  readonly idBase: number;
  readonly idMask: number;
  readonly isLittleEndian: boolean;
  readonly bitsPerPixel: ReadonlyMap<number, number>;
  readonly visuals: ReadonlyMap<number, Visual>;
}

/** The colour masks of a pixel. */
interface Visual {
  readonly depth: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

const formatBytes = 8;
const depthBytes = 8;
const visualBytes = 24;

export function parseSetup(reply: Buffer): XSetup {
  const formatsAt = 40 + pad4(reply.readUInt16LE(24));
  const formatCount = reply.readUInt8(29);
  const bitsPerPixel = new Map<number, number>();
  for (let index = 0; index < formatCount; index += 1) {
    const at = formatsAt + index * formatBytes;
    bitsPerPixel.set(reply.readUInt8(at), reply.readUInt8(at + 1));
  }
  const screenAt = formatsAt + formatCount * formatBytes;
  return {
    root: reply.readUInt32LE(screenAt),
    width: reply.readUInt16LE(screenAt + 20),
    height: reply.readUInt16LE(screenAt + 22),
    rootVisual: reply.readUInt32LE(screenAt + 32),
    idBase: reply.readUInt32LE(12),
    idMask: reply.readUInt32LE(16),
    isLittleEndian: reply.readUInt8(30) === 0,
    bitsPerPixel,
    visuals: parseVisuals(reply, screenAt),
  };
}

function parseVisuals(reply: Buffer, screenAt: number): Map<number, Visual> {
  const visuals = new Map<number, Visual>();
  let at = screenAt + 40;
  for (let depths = reply.readUInt8(screenAt + 39); depths > 0; depths -= 1) {
    const depth = reply.readUInt8(at);
    const count = reply.readUInt16LE(at + 2);
    at += depthBytes;
    for (let index = 0; index < count; index += 1, at += visualBytes) {
      const [red, green, blue] = [8, 12, 16].map((offset) => reply.readUInt32LE(at + offset));
      visuals.set(reply.readUInt32LE(at), { depth, red: red ?? 0, green: green ?? 0, blue: blue ?? 0 });
    }
  }
  return visuals;
}
