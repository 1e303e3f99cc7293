import type { Env } from "../model/env.ts";
import { processes } from "../os/index.ts";
import { ROOT_VARIABLE } from "./end-processes.ts";
import { locateRegistry, readRecords } from "./registry.ts";

/** The variable alone is not trusted: the display must be that of a running sandbox. */
export function isInsideSandbox(env: Env): boolean {
  const root = env[ROOT_VARIABLE];
  if (root === undefined || root === "" || env.DISPLAY === undefined) return false;
  return readRecords(locateRegistry(env)).some(
    (record) => record.root === root && record.display === env.DISPLAY && processes.isAlive(record.supervisor),
  );
}
