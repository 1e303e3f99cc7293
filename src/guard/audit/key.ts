import { linkSync, rmSync, writeFileSync } from "node:fs";
import { type Places, UnsafePlace } from "../places.ts";
import { readIfThere } from "./files.ts";

const keyBytes = 32;

/** What makes the log's hashes; undefined where it is missing. */
export function readKey({ key: path }: Places): Uint8Array | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const key = Buffer.from(text, "hex");
  if (key.length !== keyBytes) throw new UnsafePlace(`${path} is damaged`);
  return key;
}

/** The same, made where it is missing; of two processes that make one, the first has made it. */
export function makeKey(places: Places): Uint8Array {
  const { key: path } = places;
  const draft = `${path}.${process.pid}`;
  const text = Buffer.from(crypto.getRandomValues(new Uint8Array(keyBytes))).toString("hex");
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch {
    // Another process has just made it.
  }
  rmSync(draft, { force: true });
  const key = readKey(places);
  if (key === undefined) throw new UnsafePlace(`${path} cannot be made`);
  return key;
}
