import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Scene } from "./scene.ts";

/** Puts a sandbox under a policy, as a person would: by its file. */
export function setPolicy(scene: Pick<Scene, "sandbox">, policy: unknown): string {
  const folder = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, "policy.json");
  writeFileSync(path, typeof policy === "string" ? policy : JSON.stringify(policy), { mode: 0o600 });
  return path;
}

/** No rate limit and nothing sensitive: only the applications' standings count. */
export const permissive = { actionsPerMinute: 0, sensitive: "allow", hotkey: false };

interface Refusal {
  readonly status: number;
  readonly code?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly try?: string;
}

/** The refusal of a Deskmap command; only its exit code if it was not refused. */
export function tryCommand(scene: Scene, ...args: readonly string[]): Refusal {
  const { status, stderr } = scene.deskmap(...args);
  return stderr.startsWith("{") ? { status, ...JSON.parse(stderr).error } : { status };
}
