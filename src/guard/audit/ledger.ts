import type { Places } from "../places.ts";
import { emptyLedger, type Grant, type Ledger } from "../records.ts";
import { loadSealKey, readSealKey, sealText } from "../seal-key.ts";
import { readIfThere } from "./files.ts";

/** What all clients share, and what stood there as a grant and is none. */
interface FoundLedger {
  readonly ledger: Ledger;
  readonly ignored: readonly string[];
}

/** A grant counts as it was given: each carries a seal over all of it. */
export function readLedger(places: Places): FoundLedger {
  const text = readIfThere(places.ledger);
  if (text === undefined) return { ledger: emptyLedger, ignored: [] };
  const { actions, grants }: { actions?: unknown; grants?: unknown } = parseObject(text, places);
  if (!Array.isArray(actions) || !Array.isArray(grants) || !actions.every(isAction)) throw damaged(places);
  if (grants.length === 0) return { ledger: { actions, grants: [] }, ignored: [] };
  const key = readSealKey(places);
  const isGiven = (one: unknown): boolean => key !== undefined && isGrant(one) && hasSeal(one, sealGrant(key, one));
  return {
    ledger: { actions, grants: grants.filter(isGrant).filter(isGiven).map(takeGrant) },
    ignored: grants.filter((one) => !isGiven(one)).map(describeIgnored),
  };
}

/** Who writes has read what is whole, and added what a person has just allowed: all of it is sealed. */
export function showLedger(places: Places, { actions, grants }: Ledger): string {
  if (grants.length === 0) return JSON.stringify({ actions, grants: [] });
  const key = loadSealKey(places);
  return JSON.stringify({ actions, grants: grants.map((grant) => ({ ...grant, seal: sealGrant(key, grant) })) });
}

function sealGrant(key: Uint8Array, { app, client, untilMs, isSensitive }: Grant): string {
  return sealText(key, "grant", JSON.stringify([app ?? null, client ?? null, untilMs, isSensitive]));
}

function hasSeal(one: object, wanted: string): boolean {
  return "seal" in one && one.seal === wanted;
}

/** Nothing but what the seal covers. */
function takeGrant({ app, client, untilMs, isSensitive }: Grant): Grant {
  return { app, client, untilMs, isSensitive };
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
  return `in the ledger, and given by no person: ${JSON.stringify(value)?.slice(0, longestShown) ?? ""}`;
}
