import type { Env } from "../model/env.ts";
import { processes } from "../os/index.ts";
import { ROOT_VARIABLE } from "./end-processes.ts";
import type { SandboxRecord } from "./record.ts";
import { locateRegistry, readRecords } from "./registry.ts";

/** The variable alone is not trusted: the display must be that of a running sandbox. */
export function isInsideSandbox(env: Env): boolean {
  return findRecord(env) !== undefined;
}

export function findRecord(env: Env): SandboxRecord | undefined {
  const root = env[ROOT_VARIABLE];
  if (root === undefined || root === "" || env.DISPLAY === undefined) return undefined;
  return readRecords(locateRegistry(env)).find(
    (record) => record.root === root && record.display === env.DISPLAY && processes.isAlive(record.supervisor),
  );
}
