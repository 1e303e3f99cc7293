import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** Where the guard keeps its books; the directory is the user's own. */
export interface Places {
  readonly state: string;
  readonly audit: string;
  /** How many lines the log has, and the hash of the last: what shows that lines were cut off. */
  readonly head: string;
  /** What makes hashes that nobody else can make. */
  readonly key: string;
  readonly lock: string;
  /** What was done in the last minute, and what a person has allowed. */
  readonly ledger: string;
  readonly turn: string;
  readonly stopped: string;
  readonly surfaces: string;
  readonly policy: string;
  readonly pin: string;
  readonly secrets: string;
}

export function findPlaces(env: Env): Places {
  const state = join(findFolder(env, "XDG_STATE_HOME", ".local/state"), "deskmap");
  const config = join(findFolder(env, "XDG_CONFIG_HOME", ".config"), "deskmap");
  return {
    state,
    audit: join(state, "audit.jsonl"),
    head: join(state, "audit.head"),
    key: join(state, "audit.key"),
    lock: join(state, "guard.lock"),
    ledger: join(state, "ledger.json"),
    turn: join(state, "turn.json"),
    stopped: join(state, "stopped.json"),
    surfaces: join(state, "surfaces"),
    policy: join(config, "policy.json"),
    pin: join(config, "pin.json"),
    secrets: join(config, "secrets.env"),
  };
}

export function makeStateFolder({ state }: Places): void {
  mkdirSync(state, { recursive: true, mode: 0o700 });
}

function findFolder(env: Env, variable: string, otherwise: string): string {
  const given = env[variable];
  // The XDG specification: a path that is not absolute is to be ignored.
  return given !== undefined && isAbsolute(given) ? given : join(env.HOME || homedir(), otherwise);
}
