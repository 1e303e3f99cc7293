import type { IsWithheld } from "../../sources/redact.ts";
import { isOwnDocument, ownFilesApp } from "../own-files.ts";
import { findStand, type Policy } from "../policy/policy.ts";

const nothing: IsWithheld = () => false;

/** The documents that a policy keeps from everybody. Always one of the same functions: what was redacted is kept by it. */
export function withheldBy(policy: Policy): IsWithheld {
  return findStand(policy, [ownFilesApp]).standing === "blind" ? isOwnDocument : nothing;
}
