import {
  chmodSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type * as z from "zod/mini";
import { codeOf, parseJson } from "../model/caught.ts";
import type { Env } from "../model/env.ts";
import { folders, user } from "../os/index.ts";
import { followLinks, isBelow, listOwnFolders } from "../os/own-folders.ts";

/** The guard's files. Its directory belongs to the user alone. */
export type Places = Readonly<ReturnType<typeof findPlaces>>;

export function findPlaces(env: Env) {
  const state = join(folders.state(env), "deskmap");
  const config = join(folders.config(env), "deskmap");
  return {
    state,
    audit: join(state, "audit.jsonl"),
    /** Number and hash of the log's last line: shows that lines were cut off. */
    head: join(state, "audit.head"),
    /** The key of the log's hashes. */
    key: join(state, "audit.key"),
    /** The policy that a person accepted. */
    seal: join(state, "policy.seal"),
    sealKey: join(state, "seal.key"),
    lock: join(state, "guard.lock"),
    /** The actions of the last minute, and grants. */
    ledger: join(state, "ledger.json"),
    turn: join(state, "turn.json"),
    stopped: join(state, "stopped.json"),
    /** Held by the process that listens for the stop keys; one per display. */
    hotkey: join(state, `hotkey${(env.DISPLAY ?? "").replace(/\.\d+$/, "").replace(/[^\w]/g, "-")}.lock`),
    /** What a recording of agents is called, its steps, and the pictures of them. */
    recording: join(state, "recording", "recording.json"),
    steps: join(state, "recording", "steps.jsonl"),
    pictures: join(state, "recording", "pictures"),
    surfaces: join(state, "surfaces"),
    policy: join(config, "policy.json"),
    pin: join(config, "pin.json"),
    secrets: join(config, "secrets.env"),
  };
}

/** Whether a path is in one of Deskmap's own folders, where no client writes. Links in it must have been followed. */
export function isOwnPlace(path: string, env: Env): boolean {
  const own = listOwnFolders(env);
  return isBelow(path, [...own, ...own.map(followLinks)]);
}

/** A path at which other users could read the guard's files, or redirect them. */
export class UnsafePlace extends Error {
  override readonly name = "UnsafePlace";
}

export function makeStateFolder({ state }: Places): void {
  makePrivateFolder(state);
}

/** Creates a folder if it is missing and closes it to other users. Throws if it is not the user's own. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw new UnsafePlace(`${folder} is a link or not a directory`);
  if (!user.owns(found)) throw new UnsafePlace(`${folder} belongs to another user`);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Opens one of the guard's files for reading and appending: never through a link, and readable by its user only. */
export function openRecordFile(path: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  try {
    return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (codeOf(error) === "ELOOP") throw new UnsafePlace(`${path} is a link`);
    throw error;
  }
}

/** Undefined if there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined if the text is not JSON of that shape. */
export function readStored<T>(schema: z.ZodMiniType<T>, text: string | undefined): T | undefined {
  // Compiling a schema takes longer than reading a few values with it.
  return schema.safeParse(parseJson(text ?? ""), { jitless: true }).data;
}

/**
 * Replaces a file atomically. Only one process at a time may write a path this way. The text is on the disk before it has
 * its name: otherwise a power cut may leave an empty file.
 */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, path);
}

/** The same for what is written with every line of the log, or is worth nothing after a power cut. */
export function replaceFileSoon(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}

/** Creates a file atomically unless it exists: of two processes that create it at once, the first one wins. */
export function createOnce(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(draft, path);
  } catch {
    // Another process has just created it.
  }
  rmSync(draft, { force: true });
}
