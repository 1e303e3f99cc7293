import { type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import type { Grant, Records } from "../records.ts";
import { quote } from "./approver.ts";

export const defaultMinutes = 10;
export const longestMinutes = 480;
const surface = "a person at a terminal";

/** Logged first: a grant that cannot be logged is not given. */
export function giveGrant(records: Records, grant: Grant): Result<Grant> {
  const written = records.write({ what: "allow", client: surface, words: describeGrant(grant) });
  if (!written.ok) return written;
  return records.update((ledger) => ({ ledger: { ...ledger, grants: [...ledger.grants, grant] }, result: grant }));
}

export function listGrants(records: Records, nowMs: number): Result<readonly Grant[]> {
  return records.update((ledger) => ({ ledger, result: ledger.grants.filter(({ untilMs }) => untilMs > nowMs) }));
}

/** Ends all grants, and returns those that were still valid. */
export function endGrants(records: Records, nowMs: number): Result<readonly Grant[]> {
  const ended = records.update((ledger) => ({ ledger: { ...ledger, grants: [] }, result: ledger.grants }));
  if (!ended.ok) return ended;
  const live = ended.value.filter(({ untilMs }) => untilMs > nowMs);
  const words = `ended: ${live.map(describeGrant).join("; ") || "nothing"}`;
  const written = records.write({ what: "allow", client: surface, words });
  return written.ok ? succeed(live) : written;
}

export function describeGrant({ app, client, untilMs, isSensitive }: Grant): string {
  const what = isSensitive ? "everything, sensitive actions included," : "as many actions as it likes";
  const who = client === undefined ? "every program" : `the program ${quote(client)}`;
  const where = app === undefined ? "in every application" : `in ${quote(app)}`;
  return `${who} ${what} ${where}, until ${showLocalTime(untilMs)}`;
}
