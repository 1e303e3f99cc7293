import * as z from "zod/mini";
import { sentKinds } from "../../model/sending.ts";
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

/** An address that a person has allowed to be sent what applications show. */
const recipientFields = {
  /** Scheme, host and port. */
  origin: z.string(),
  kinds: z.readonly(z.array(z.enum(sentKinds))),
  /** Undefined means every application that is not local only. */
  apps: z.optional(z.readonly(z.array(z.string()))),
  atMs: z.int(),
};
export type Recipient = Readonly<z.infer<z.ZodMiniObject<typeof recipientFields>>>;

const storedLedger = z.object({
  actions: z.array(z.object({ atMs: z.number(), client: z.string(), app: z.string() })),
  grants: z.array(z.unknown()),
  recipients: z._default(z.array(z.unknown()), []),
});
const sealedGrant = z.object({ ...grantFields, seal: z.string() });
const sealedRecipient = z.object({ ...recipientFields, seal: z.string() });

/** Shared by all clients. */
export interface Ledger {
  /** Those of the last minute, oldest first. */
  readonly actions: readonly { readonly atMs: number; readonly client: string; readonly app: string }[];
  readonly grants: readonly Grant[];
  readonly recipients: readonly Recipient[];
}

export const emptyLedger: Ledger = { actions: [], grants: [], recipients: [] };

/** A grant or a recipient counts only with a valid seal over all of its fields; `ignored` describes the others. */
export function readLedger(places: Places): { readonly ledger: Ledger; readonly ignored: readonly string[] } {
  const text = readIfThere(places.ledger);
  if (text === undefined) return { ledger: emptyLedger, ignored: [] };
  const stored = readStored(storedLedger, text);
  if (stored === undefined) throw new Error(`${places.ledger} is damaged`);
  const { actions, grants, recipients } = stored;
  const key = grants.length + recipients.length === 0 ? undefined : readSealKey(places);
  const given = grants.map((one) => unseal(key, one));
  const named = recipients.map((one) => unsealRecipient(key, one));
  return {
    ledger: { actions, grants: given.flatMap((one) => one ?? []), recipients: named.flatMap((one) => one ?? []) },
    ignored: [
      ...grants.filter((_, at) => given[at] === undefined),
      ...recipients.filter((_, at) => named[at] === undefined),
    ].map(describeIgnored),
  };
}

function unsealRecipient(key: Uint8Array | undefined, value: unknown): Recipient | undefined {
  const { data } = sealedRecipient.safeParse(value, { jitless: true });
  if (key === undefined || data === undefined) return undefined;
  const { seal, ...recipient } = data;
  return seal === sealRecipient(key, recipient) ? recipient : undefined;
}

function sealRecipient(key: Uint8Array, { origin, kinds, apps, atMs }: Recipient): string {
  return sealText(key, "recipient", JSON.stringify([origin, kinds, apps ?? null, atMs]));
}

function unseal(key: Uint8Array | undefined, value: unknown): Grant | undefined {
  const { data } = sealedGrant.safeParse(value, { jitless: true });
  if (key === undefined || data === undefined) return undefined;
  const { seal, ...grant } = data;
  return seal === sealGrant(key, grant) ? grant : undefined;
}

/** Seals all of them: the writer has read valid ones, and added what a person has just allowed. */
export function showLedger(places: Places, { actions, grants, recipients }: Ledger): string {
  if (grants.length + recipients.length === 0) return JSON.stringify({ actions, grants: [], recipients: [] });
  const key = loadSealKey(places);
  return JSON.stringify({
    actions,
    grants: grants.map((grant) => ({ ...grant, seal: sealGrant(key, grant) })),
    recipients: recipients.map((one) => ({ ...one, seal: sealRecipient(key, one) })),
  });
}

function sealGrant(key: Uint8Array, { app, client, process, isNameOnly, untilMs, isSensitive }: Grant): string {
  const { pid, startTicks, uid, program, file, scope } = process ?? {};
  const isPlain = process === undefined && isNameOnly === undefined;
  const whose = isPlain ? [] : [isNameOnly ?? false, pid, startTicks, uid, program, file, scope];
  const covered = [app ?? null, client ?? null, untilMs, isSensitive, ...whose];
  return sealText(key, "grant", JSON.stringify(covered));
}

/** The valid recipients, without waiting for who changes them; none if the ledger cannot be read. */
export function readRecipients(places: Places): readonly Recipient[] {
  try {
    return readLedger(places).ledger.recipients;
  } catch {
    return [];
  }
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
