import { existsSync } from "node:fs";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { userPolicy } from "./defaults.ts";
import type { Places } from "./places.ts";
import { type Policy, sandboxPolicy } from "./policy.ts";

/** The policy of a desktop: what its file says, and the defaults for what it does not. */
export function loadPolicy(places: Places, isPrivate: boolean): Result<Policy> {
  const defaults = isPrivate ? sandboxPolicy : userPolicy;
  if (!existsSync(places.policy)) return succeed(defaults);
  return fail(describeBroken(places.policy, 1, "it cannot be read yet"));
}

function describeBroken(path: string, line: number, why: string): Failure {
  return {
    code: "REFUSED",
    reason: "policy",
    message: `${path}:${line}: ${why}`,
    suggestion: "mend it; deskmap policy check tells whether it is right. Until then nothing is looked at or done.",
    done: nothingDone,
  };
}
