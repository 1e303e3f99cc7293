import * as z from "zod/mini";
import { confirmAtTerminal } from "../../guard/approval/pin.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import type { Recipient } from "../../guard/audit/ledger.ts";
import { findPlaces } from "../../guard/places.ts";
import {
  allowRecipient,
  describeRecipient,
  listRecipients,
  parseOrigin,
  withdrawRecipients,
} from "../../guard/sending/recipients.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { type SentKind, sentKinds } from "../../model/sending.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf, Forms } from "../../show/output.ts";
import { defineAnswer } from "../define.ts";

interface Flags {
  readonly kinds?: string;
  readonly apps?: string;
}

const output = () =>
  z.strictObject({
    recipients: z.array(
      z.strictObject({
        origin: z.string(),
        kinds: z.array(z.enum(sentKinds)),
        apps: z.optional(z.array(z.string())),
        // In milliseconds since 1970.
        since: z.number(),
      }),
    ),
    withdrawn: z.optional(z.array(z.string())),
  });

interface Told {
  readonly recipients: readonly Recipient[];
  readonly withdrawn?: readonly Recipient[];
}

const forms: Forms<Told, DataOf<typeof output>> = {
  data: ({ recipients, withdrawn }) => ({
    recipients: recipients.map(({ origin, kinds, apps, atMs }) => ({
      origin,
      kinds: [...kinds],
      ...(apps === undefined ? {} : { apps: [...apps] }),
      since: atMs,
    })),
    ...(withdrawn === undefined ? {} : { withdrawn: withdrawn.map(({ origin }) => origin) }),
  }),
  text: ({ recipients, withdrawn = [] }) => {
    const ended = withdrawn.map(({ origin }) => `withdrawn: ${origin}`);
    const left = recipients.map((one) => `allowed: ${describeRecipient(one)}`);
    return [...ended, ...(left.length === 0 ? ["nothing leaves this machine"] : left)].join("\n");
  },
  csv: ({ recipients }) =>
    joinRows(
      "origin,kinds,apps",
      recipients.map(({ origin, kinds, apps = [] }) => [origin, kinds.join(" "), apps.join(" ")]),
    ),
};

const notes = `deskmap recipients                    who may be sent what windows show
deskmap recipients allow HOST         a person confirms it at a terminal
deskmap recipients withdraw [HOST]    it ends; without a host, for all

Applications that the policy lists under "localOnly" are never sent, whatever is allowed here.`;

export const recipients = defineAnswer({
  name: "recipients",
  summary: "Choose who may be sent what windows show; at first nobody.",
  words: [
    ["[allow|withdraw]", ""],
    ["[host]", "a host, or an address with scheme and port"],
  ],
  options: [
    ["--kinds <list>", `what may go there: ${sentKinds.join(",")} (text)`],
    ["--apps <list>", "only of these applications, by any of their names"],
  ],
  notes,
  examples: [
    "deskmap recipients",
    "deskmap recipients allow openrouter.ai",
    "deskmap recipients allow http://127.0.0.1:11434 --apps firefox,mousepad",
    "deskmap recipients withdraw openrouter.ai",
  ],
  output,
  forms,
  run: (flags: Flags, [order, host]): Promise<Result<Told>> => run(order, host, flags),
});

async function run(order: string | undefined, host: string | undefined, flags: Flags): Promise<Result<Told>> {
  const records = new FileRecords(findPlaces(process.env));
  if (order === undefined) return tell(records);
  if (order === "withdraw") return withdraw(records, host);
  if (order === "allow" && host !== undefined) return allow(records, host, flags);
  const message = order === "allow" ? "allow needs a host" : `recipients has no part called ${JSON.stringify(order)}`;
  return fail(describeUsage(message, "deskmap recipients allow openrouter.ai, or deskmap recipients withdraw"));
}

function tell(records: FileRecords, withdrawn?: readonly Recipient[]): Result<Told> {
  const listed = listRecipients(records);
  if (!listed.ok) return listed;
  return succeed({ recipients: listed.value, ...(withdrawn === undefined ? {} : { withdrawn }) });
}

function withdraw(records: FileRecords, host: string | undefined): Result<Told> {
  const origin = host === undefined ? succeed(undefined) : parseOrigin(host);
  if (!origin.ok) return origin;
  const withdrawn = withdrawRecipients(records, origin.value);
  return withdrawn.ok ? tell(records, withdrawn.value) : withdrawn;
}

async function allow(records: FileRecords, host: string, { kinds: given, apps }: Flags): Promise<Result<Told>> {
  const origin = parseOrigin(host);
  if (!origin.ok) return origin;
  const kinds = readKinds(given ?? "text");
  if (!kinds.ok) return kinds;
  const named = apps === undefined ? undefined : splitList(apps);
  if (named?.length === 0) return fail(describeUsage("--apps names no application", "--apps firefox,mousepad"));
  const wanted = { origin: origin.value, kinds: kinds.value, ...(named === undefined ? {} : { apps: named }) };
  const words = `Deskmap would send ${describeRecipient(wanted)}. It is sent when you ask deskmap ask or deskmap chat something that needs a model. Secrets stay masked. Allow it?`;
  const confirmed = await confirmAtTerminal(words);
  if (!confirmed.ok) return confirmed;
  const kept = allowRecipient(records, { ...wanted, atMs: Date.now() });
  return kept.ok ? tell(records) : kept;
}

function readKinds(given: string): Result<readonly SentKind[]> {
  const named = splitList(given);
  const kinds = sentKinds.filter((kind) => named.includes(kind));
  if (kinds.length === named.length && kinds.length > 0) return succeed(kinds);
  return fail(describeUsage(`--kinds ${JSON.stringify(given)} is not one of ${sentKinds.join(", ")}`, "--kinds text"));
}

function splitList(text: string): readonly string[] {
  return [...new Set(text.split(",").map((one) => one.trim()))].filter((one) => one !== "");
}
