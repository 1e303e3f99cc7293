import { confirmAtTerminal } from "../../guard/approval/pin.ts";
import {
  defaultMinutes,
  describeGrant,
  endGrants,
  FileRecords,
  giveGrant,
  listGrants,
  longestMinutes,
} from "../../guard/audit/file-records.ts";
import type { Grant } from "../../guard/audit/ledger.ts";
import { identifyOwn } from "../../guard/identity.ts";
import { findPlaces } from "../../guard/places.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { ProcessIdentity } from "../../os/index.ts";
import { defineCommand } from "../define.ts";

interface Flags {
  readonly minutes?: string;
  readonly app?: string;
  readonly client?: string;
  readonly pid?: string;
  readonly trustName?: boolean;
  readonly sensitive?: boolean;
}

const notes = `deskmap allow list   what is allowed now
deskmap allow end    all of that ends

It lifts the limit of actions in a minute; with --sensitive, deleting, sending, paying and the like are done without
asking, too. A person confirms it at a terminal.

With --client it is for one process that gave itself this name, and for those that it starts: for the one in the log
that still runs, or the one of --pid. It ends with that process. With --trust-name nothing is lifted: what the policy
says of this name holds for that process.`;

export const allow = defineCommand({
  name: "allow",
  summary: "Lift the limit of actions a minute for a while; a person confirms it.",
  words: [["[list|end]", ""]],
  options: [
    ["--minutes <n>", `how long: 1 to ${longestMinutes} (${defaultMinutes})`],
    ["--app <name>", "only in this application"],
    ["--client <name>", "only for this program, by the name that it gives itself"],
    ["--pid <pid>", "its process, such as the shell or the agent that starts its commands"],
    ["--trust-name", "only what the policy says of this name"],
    ["--sensitive", "sensitive actions too, without asking"],
  ],
  notes,
  examples: [
    "deskmap allow --minutes 10 --app mousepad",
    "deskmap allow --minutes 60 --client claude",
    "deskmap allow --minutes 480 --client claude --pid 4711 --trust-name",
    "deskmap allow --minutes 5 --app thunar --sensitive",
    "deskmap allow end",
  ],
  run: (flags: Flags, [word]) => run(word, flags),
});

async function run(word: string | undefined, flags: Flags): Promise<Result<string>> {
  const records = new FileRecords(findPlaces(process.env));
  if (word === undefined) return give(records, flags);
  if (word === "list") return show(records, listGrants(records, Date.now()));
  if (word === "end") return show(records, endGrants(records, Date.now()), "ended: ");
  return fail(
    describeUsage(`allow has no part called ${JSON.stringify(word)}`, "deskmap allow list, or deskmap allow end"),
  );
}

function show({ ignoredGrants }: FileRecords, grants: Result<readonly Grant[]>, before = ""): Result<string> {
  if (!grants.ok) return grants;
  const lines = grants.value.map((grant) => `${before}${describeGrant(grant)}`);
  const told = lines.length === 0 ? ["nothing is allowed beyond the policy"] : lines;
  const ignored = `ignored: ${ignoredGrants} that no person has given here; deskmap audit show tells more`;
  return succeed([...told, ...(ignoredGrants === 0 ? [] : [ignored])].join("\n"));
}

async function give(records: FileRecords, flags: Flags): Promise<Result<string>> {
  const minutes = flags.minutes === undefined ? defaultMinutes : Number(flags.minutes);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > longestMinutes) {
    const given = JSON.stringify(flags.minutes);
    return fail(describeUsage(`--minutes ${given} is not a time`, `a whole number from 1 to ${longestMinutes}`));
  }
  const named = await readNamed(flags);
  if (!named.ok) return named;
  const isSensitive = flags.sensitive === true;
  const given: Omit<Grant, "untilMs"> = { app: flags.app, isSensitive, ...named.value };
  const wanted = describeGrant({ ...given, untilMs: Date.now() + minutes * 60_000 });
  const confirmed = await confirmAtTerminal(`Allow ${wanted}?`);
  if (!confirmed.ok) return confirmed;
  if (isSensitive) {
    const warning = "Programs will delete, send, pay, install and more in that time, and nobody will ask you first.";
    const sure = await confirmAtTerminal(warning, { word: "allow everything" });
    if (!sure.ok) return sure;
  }
  const kept = giveGrant(records, { ...given, untilMs: Date.now() + minutes * 60_000 });
  return kept.ok ? succeed(`allowed: ${describeGrant(kept.value)}`) : kept;
}

/** For which client, and which of the processes with its name. */
async function readNamed(flags: Flags): Promise<Result<Pick<Grant, "client" | "process" | "isNameOnly">>> {
  const { client, pid, trustName = false } = flags;
  if (client === undefined) {
    const stray = pid !== undefined ? "--pid" : trustName ? "--trust-name" : undefined;
    if (stray === undefined) return succeed({});
    return fail(describeUsage(`${stray} needs --client`, `deskmap allow --client NAME ${stray}`));
  }
  if (trustName && (flags.app !== undefined || flags.sensitive === true)) {
    const other = flags.app === undefined ? "--sensitive" : "--app";
    return fail(describeUsage(`--trust-name does not accept ${other}`, "the policy says what the name may do."));
  }
  const process = pid === undefined ? await findSeen(client) : identifyGiven(pid);
  if (!process.ok) return process;
  return succeed({ client, process: process.value, ...(trustName ? { isNameOnly: true } : {}) });
}

function identifyGiven(pid: string): Result<ProcessIdentity> {
  const found = /^\d{1,9}$/.test(pid) ? identifyOwn(Number(pid)) : undefined;
  if (found !== undefined) return succeed(found);
  return fail(describeUsage(`--pid ${JSON.stringify(pid)} is not a running process of yours`, "ps lists them."));
}

/** How far back the log is searched. */
const searched = 1000;

/** The one running process that the log knows under a name. */
async function findSeen(client: string): Promise<Result<ProcessIdentity>> {
  const { readLastEvents } = await import("../../guard/audit/read.ts");
  const { events } = await readLastEvents(findPlaces(process.env), { client, last: searched });
  const seen = events.flatMap(({ process: one }) => {
    const found = one && identifyOwn(one.pid);
    return found?.startTicks === one?.startTicks ? (found ?? []) : [];
  });
  const [only, ...others] = new Map(seen.map((one) => [one.pid, one])).values();
  if (only !== undefined && others.length === 0) return succeed(only);
  const name = JSON.stringify(client);
  const suggestion = `name the one you mean, or the program that starts its commands: --client ${name} --pid PID`;
  if (only === undefined)
    return fail(makeFailure("NOT_FOUND", `no running process was seen under the name ${name}`, suggestion));
  const list = [only, ...others].map(({ pid, program }) => `${pid} (${program})`).join(", ");
  return fail(makeFailure("AMBIGUOUS", `several processes gave themselves the name ${name}: ${list}`, suggestion));
}
