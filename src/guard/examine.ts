import { existsSync } from "node:fs";
import { broken, type Check, note, ok } from "../model/check.ts";
import type { Result } from "../model/failure.ts";
import { showLocalTime } from "../model/local-time.ts";
import type { Places } from "./places.ts";
import type { Policy } from "./policy/policy.ts";
import type { Stop } from "./records.ts";

export function examinePolicy({ policy: path }: Places, policy: Result<Policy>, isFixWanted: boolean): Check {
  if (!policy.ok) return broken("policy", policy.failure.message, policy.failure.suggestion ?? "deskmap policy check");
  const { actionsPerMinute, isReadOnly } = policy.value;
  const rate = actionsPerMinute === 0 ? "any number of actions" : `${actionsPerMinute} actions a minute`;
  const text = `${existsSync(path) ? path : "no file"}, ${isReadOnly ? "read only" : rate}`;
  return isReadOnly && isFixWanted ? note("policy", `${text}: nothing was repaired`) : ok("policy", text);
}

export function examineStop(stop: Stop | undefined): Check {
  if (stop === undefined) return ok("stop", "nothing was stopped");
  return broken(
    "stop",
    `everything was stopped by ${stop.by} at ${showLocalTime(stop.atMs)}`,
    "deskmap resume, in a terminal",
  );
}
