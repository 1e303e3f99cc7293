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
import { findPlaces } from "../../guard/places.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";

interface Flags {
  readonly minutes?: string;
  readonly app?: string;
  readonly client?: string;
  readonly sensitive?: boolean;
}

const notes = `deskmap allow list   what is allowed now
deskmap allow end    all of that ends

It lifts the limit of actions in a minute; with --sensitive, deleting, sending, paying and the like are done without
asking, too. A person confirms it at a terminal.`;

export const allow = defineCommand({
  name: "allow",
  summary: "Lift the limit of actions a minute for a while; a person confirms it.",
  words: [["[list|end]", ""]],
  options: [
    ["--minutes <n>", `how long: 1 to ${longestMinutes} (${defaultMinutes})`],
    ["--app <name>", "only in this application"],
    ["--client <name>", "only for this program"],
    ["--sensitive", "sensitive actions too, without asking"],
  ],
  notes,
  examples: [
    "deskmap allow --minutes 10 --app mousepad",
    "deskmap allow --minutes 60 --client claude",
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
  const { app, client } = flags;
  const isSensitive = flags.sensitive === true;
  const untilMs = Date.now() + minutes * 60_000;
  const wanted = describeGrant({ app, client, isSensitive, untilMs });
  const confirmed = await confirmAtTerminal(`Allow ${wanted}?`);
  if (!confirmed.ok) return confirmed;
  if (isSensitive) {
    const warning = "Programs will delete, send, pay, install and more in that time, and nobody will ask you first.";
    const sure = await confirmAtTerminal(warning, { word: "allow everything" });
    if (!sure.ok) return sure;
  }
  const given = giveGrant(records, { app, client, isSensitive, untilMs: Date.now() + minutes * 60_000 });
  return given.ok ? succeed(`allowed: ${describeGrant(given.value)}`) : given;
}
