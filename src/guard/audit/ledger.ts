import * as z from "zod/mini";
import { loadSealKey, readSealKey, sealText } from "../keys.ts";
import { type Places, readIfThere, readStored } from "../places.ts";

const identity = z.object({
  pid: z.int(),
  startTicks: z.int(),
  uid: z.int(),
  program: z.string(),
  file: z.string(),
  scope: z.string(),
});

/** A person's permission to act without a rate limit. */
const grantFields = {
  /** Undefined means every application. */
  app: z.optional(z.string()),
  client: z.optional(z.string()),
  /** The process that the person saw under the client's name; it and those that it starts are meant. */
  process: z.optional(identity),
  /** Whether it only says whose name this is: the policy decides on the rest. */
  isNameOnly: z.optional(z.boolean()),
  untilMs: z.int(),
  /** Whether it covers sensitive actions too. */
  isSensitive: z.boolean(),
};
export type Grant = Readonly<z.infer<z.ZodMiniObject<typeof grantFields>>>;

const storedLedger = z.object({
  actions: z.array(z.object({ atMs: z.number(), client: z.string(), app: z.string() })),
  grants: z.array(z.unknown()),
});
const sealedGrant = z.object({ ...grantFields, seal: z.string() });

/** Shared by all clients. */
export interface Ledger {
  /** Those of the last minute, oldest first. */
  readonly actions: readonly { readonly atMs: number; readonly client: string; readonly app: string }[];
  readonly grants: readonly Grant[];
}

export const emptyLedger: Ledger = { actions: [], grants: [] };

/** A grant counts only with a valid seal over all of its fields; `ignored` describes the others. */
export function readLedger(places: Places): { readonly ledger: Ledger; readonly ignored: readonly string[] } {
  const text = readIfThere(places.ledger);
  if (text === undefined) return { ledger: emptyLedger, ignored: [] };
  const stored = readStored(storedLedger, text);
  if (stored === undefined) throw new Error(`${places.ledger} is damaged`);
  const key = stored.grants.length === 0 ? undefined : readSealKey(places);
  const given = stored.grants.map((one) => unseal(key, one));
  return {
    ledger: { actions: stored.actions, grants: given.flatMap((grant) => grant ?? []) },
    ignored: stored.grants.filter((_, at) => given[at] === undefined).map(describeIgnored),
  };
}

function unseal(key: Uint8Array | undefined, value: unknown): Grant | undefined {
  const { data } = sealedGrant.safeParse(value, { jitless: true });
  if (key === undefined || data === undefined) return undefined;
  const { seal, ...grant } = data;
  return seal === sealGrant(key, grant) ? grant : undefined;
}

/** Seals all grants: the writer has read valid ones, and added what a person has just allowed. */
export function showLedger(places: Places, { actions, grants }: Ledger): string {
  if (grants.length === 0) return JSON.stringify({ actions, grants: [] });
  const key = loadSealKey(places);
  return JSON.stringify({ actions, grants: grants.map((grant) => ({ ...grant, seal: sealGrant(key, grant) })) });
}

function sealGrant(key: Uint8Array, { app, client, process, isNameOnly, untilMs, isSensitive }: Grant): string {
  const { pid, startTicks, uid, program, file, scope } = process ?? {};
  const isPlain = process === undefined && isNameOnly === undefined;
  const whose = isPlain ? [] : [isNameOnly ?? false, pid, startTicks, uid, program, file, scope];
  const covered = [app ?? null, client ?? null, untilMs, isSensitive, ...whose];
  return sealText(key, "grant", JSON.stringify(covered));
}

/** The valid grants, without waiting for who changes them; none if the ledger cannot be read. */
export function readGrants(places: Places): readonly Grant[] {
  try {
    return readLedger(places).ledger.grants;
  } catch {
    return [];
  }
}

const longestShown = 200;

function describeIgnored(value: unknown): string {
  return `in the ledger, but not granted by a person: ${JSON.stringify(value)?.slice(0, longestShown) ?? ""}`;
}
