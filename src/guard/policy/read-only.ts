import type { Env } from "../../model/env.ts";
import { type Client, clientOf } from "../gate.ts";
import type { Places } from "../places.ts";
import { partFor, readPolicyFile } from "./file.ts";

export const readOnlyVariable = "DESKMAP_READ_ONLY";

/** Anything but a clear no counts: who sets it wants to be safe. */
export function isReadOnlyAsked(env: Env): boolean {
  return !["", "0", "no", "false", "off"].includes((env[readOnlyVariable] ?? "").toLowerCase());
}

/** Why nothing may be done here, in words; undefined where something may. A broken policy is told by whoever needs it. */
export async function findReadOnly(
  env: Env,
  places: Places,
  client: Client = clientOf(env),
): Promise<string | undefined> {
  if (isReadOnlyAsked(env)) return `--read-only was given, or ${readOnlyVariable} is set`;
  // Also of a file that nobody has accepted: to do nothing is no risk.
  const read = await readPolicyFile(places);
  const written = read.ok ? read.value.written : undefined;
  const isReadOnly = written !== undefined && (partFor(written, client.name)?.readOnly ?? written.readOnly) === true;
  return isReadOnly ? `${places.policy} says "readOnly": true` : undefined;
}
