import { readIfThere } from "../files.ts";
import { loadSealKey, readSealKey, sealText } from "../keys.ts";
import type { Places } from "../places.ts";
import { emptyLedger, type Grant, type Ledger } from "../records.ts";

interface FoundLedger {
  readonly ledger: Ledger;
  /** Descriptions of forged grants. */
  readonly ignored: readonly string[];
}

/** A grant counts only with a valid seal over all of its fields. */
export function readLedger(places: Places): FoundLedger {
  const text = readIfThere(places.ledger);
  if (text === undefined) return { ledger: emptyLedger, ignored: [] };
  const { actions, grants }: { actions?: unknown; grants?: unknown } = parseObject(text, places);
  if (!Array.isArray(actions) || !Array.isArray(grants) || !actions.every(isAction)) throw damaged(places);
  if (grants.length === 0) return { ledger: { actions, grants: [] }, ignored: [] };
  const key = readSealKey(places);
  const isGiven = (one: unknown): one is Grant => {
    return key !== undefined && isGrant(one) && "seal" in one && one.seal === sealGrant(key, one);
  };
  // Only the fields that the seal covers.
  const take = ({ app, client, untilMs, isSensitive }: Grant): Grant => ({ app, client, untilMs, isSensitive });
  return {
    ledger: { actions, grants: grants.filter(isGiven).map(take) },
    ignored: grants.filter((one) => !isGiven(one)).map(describeIgnored),
  };
}

/** Seals all grants: the writer has read valid ones, and added what a person has just allowed. */
export function showLedger(places: Places, { actions, grants }: Ledger): string {
  if (grants.length === 0) return JSON.stringify({ actions, grants: [] });
  const key = loadSealKey(places);
  return JSON.stringify({ actions, grants: grants.map((grant) => ({ ...grant, seal: sealGrant(key, grant) })) });
}

function sealGrant(key: Uint8Array, { app, client, untilMs, isSensitive }: Grant): string {
  return sealText(key, "grant", JSON.stringify([app ?? null, client ?? null, untilMs, isSensitive]));
}

function parseObject(text: string, places: Places): object {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw damaged(places);
  return value;
}

function damaged({ ledger }: Places): Error {
  return new Error(`${ledger} is damaged`);
}

function isAction(value: unknown): value is Ledger["actions"][number] {
  if (typeof value !== "object" || value === null) return false;
  const { atMs, client, app }: { atMs?: unknown; client?: unknown; app?: unknown } = value;
  return Number.isFinite(atMs) && typeof client === "string" && typeof app === "string";
}

function isGrant(value: unknown): value is Grant {
  if (typeof value !== "object" || value === null) return false;
  const { app, client, untilMs, isSensitive }: Partial<Record<keyof Grant, unknown>> = value;
  const isName = (name: unknown): boolean => name === undefined || typeof name === "string";
  return isName(app) && isName(client) && Number.isSafeInteger(untilMs) && typeof isSensitive === "boolean";
}

const longestShown = 200;

function describeIgnored(value: unknown): string {
  return `in the ledger, but not granted by a person: ${JSON.stringify(value)?.slice(0, longestShown) ?? ""}`;
}
