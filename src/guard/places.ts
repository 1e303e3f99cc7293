import { chmodSync, constants, lstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../model/env.ts";
import { folders, user } from "../os/index.ts";

/** The guard's files. Its directory belongs to the user alone. */
export interface Places {
  readonly state: string;
  readonly audit: string;
  /** Number and hash of the log's last line: shows that lines were cut off. */
  readonly head: string;
  /** The key of the log's hashes. */
  readonly key: string;
  /** The policy that a person accepted. */
  readonly seal: string;
  /** The key of seals. */
  readonly sealKey: string;
  readonly lock: string;
  /** The actions of the last minute, and grants. */
  readonly ledger: string;
  readonly turn: string;
  readonly stopped: string;
  /** Held by the process that listens for the stop keys; one per display. */
  readonly hotkey: string;
  readonly surfaces: string;
  readonly policy: string;
  readonly pin: string;
  readonly secrets: string;
}

export function findPlaces(env: Env): Places {
  const state = join(folders.state(env), "deskmap");
  const config = join(folders.config(env), "deskmap");
  return {
    state,
    audit: join(state, "audit.jsonl"),
    head: join(state, "audit.head"),
    key: join(state, "audit.key"),
    seal: join(state, "policy.seal"),
    sealKey: join(state, "seal.key"),
    lock: join(state, "guard.lock"),
    ledger: join(state, "ledger.json"),
    turn: join(state, "turn.json"),
    stopped: join(state, "stopped.json"),
    hotkey: join(state, `hotkey${(env.DISPLAY ?? "").replace(/\.\d+$/, "").replace(/[^\w]/g, "-")}.lock`),
    surfaces: join(state, "surfaces"),
    policy: join(config, "policy.json"),
    pin: join(config, "pin.json"),
    secrets: join(config, "secrets.env"),
  };
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
    if (error instanceof Error && "code" in error && error.code === "ELOOP") throw new UnsafePlace(`${path} is a link`);
    throw error;
  }
}
