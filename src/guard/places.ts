import { chmodSync, constants, lstatSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../model/env.ts";
import { folders, user } from "../os/index.ts";

/** Where the guard keeps its books; the directory is the user's own. */
export interface Places {
  readonly state: string;
  readonly audit: string;
  /** How many lines the log has, and the hash of the last: what shows that lines were cut off. */
  readonly head: string;
  /** What makes hashes that nobody else can make. */
  readonly key: string;
  /** The policy that a person has accepted. */
  readonly seal: string;
  /** What makes seals that nobody else can make. */
  readonly sealKey: string;
  readonly lock: string;
  /** What was done in the last minute, and what a person has allowed. */
  readonly ledger: string;
  readonly turn: string;
  readonly stopped: string;
  /** Held by the process that listens for the keys that stop everything; one for each display. */
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

/** Others on this machine could otherwise read what is done here, or have the books written elsewhere. */
export class UnsafePlace extends Error {
  override readonly name = "UnsafePlace";
}

export function makeStateFolder({ state }: Places): void {
  makePrivateFolder(state);
}

/** Makes a folder if it is missing. One that others can enter is closed to them; one that is not the user's is refused. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw new UnsafePlace(`${folder} is a link or no directory`);
  if (!user.owns(found)) throw new UnsafePlace(`${folder} belongs to another user`);
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Opens a file of the books to read it and to add to it: never through a link, and for nobody else to read. */
export function openBook(path: string): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
  try {
    return openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ELOOP") throw new UnsafePlace(`${path} is a link`);
    throw error;
  }
}
