import { type Memory, openMemory } from "../../desktop/memory.ts";
import { nearest } from "../../find/nearest.ts";
import { confirmAtTerminal } from "../../guard/approval/pin.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces, type Places } from "../../guard/places.ts";
import { type Knowledge, listAccounts, readContacts } from "../../guard/policy/consent.ts";
import { listListedNames } from "../../guard/policy/defaults.ts";
import { type LoadedPolicy, loadPolicy } from "../../guard/policy/file.ts";
import { findStand, namesOf, type Standing, standings } from "../../guard/policy/policy.ts";
import { openSession } from "../../host/session.ts";
import { defaultTimeoutMs } from "../../model/default-timeout.ts";
import {
  describeUsage,
  type Failure,
  fail,
  makeFailure,
  nothingDone,
  type Result,
  succeed,
} from "../../model/failure.ts";
import { isInsideSandbox } from "../../sandbox/inside.ts";
import { type AppsValue, appsForms, appsOutput } from "../../show/consent.ts";
import { defineAnswer } from "../define.ts";

const verbs = [...standings, "forget"] as const;
type Verb = (typeof verbs)[number];

const notes = `blind      never looked at, never touched, never remembered: password managers, password prompts, lock screens
hands-off  may be read, not controlled: terminals, Deskmap's own windows
normal     may be read and controlled
forget     takes what the map remembers of it away, and changes nothing else

A stricter standing holds at once. A looser one is asked about at the terminal. Blind also forgets.`;

interface Flags {
  readonly unseen?: boolean;
}

export const apps = defineAnswer({
  name: "apps",
  summary: "Choose which applications may be read and controlled.",
  description:
    "Every application that runs, was seen, is remembered or was acted on: its standing, and when and by whom.",
  words: [
    ["[order]", verbs.join(", ")],
    ["[names...]", "applications, by any of their names"],
  ],
  options: [["--unseen", "also a name that nobody knows yet"]],
  notes,
  examples: [
    "deskmap apps",
    "deskmap apps blind thunderbird",
    "deskmap apps normal xterm",
    "deskmap apps forget mousepad",
  ],
  output: appsOutput,
  forms: appsForms,
  encloses: (value) => "accounts" in value,
  run: (flags: Flags, [order, ...names]): Promise<Result<AppsValue>> =>
    order === undefined ? list() : carryOut(order, names, flags),
});

async function list(): Promise<Result<AppsValue>> {
  const known = await gather();
  return known.ok ? succeed({ accounts: listAccounts(known.value.loaded, known.value) }) : known;
}

interface Known extends Knowledge {
  readonly places: Places;
  readonly loaded: LoadedPolicy;
  readonly memory: Memory;
}

async function gather(): Promise<Result<Known>> {
  const places = findPlaces(process.env);
  const loaded = await loadPolicy(places, isInsideSandbox(process.env));
  if (!loaded.ok) return loaded;
  const memory = await openMemory(process.env);
  if (!memory.ok) return memory;
  const [running, contacts] = [await listRunning(), readContacts(places)];
  const remembered = memory.value.apps;
  return succeed({ places, loaded: loaded.value, memory: memory.value, running, remembered, contacts });
}

/** The names of applications with a window, blind ones included; none without a desktop. */
async function listRunning(): Promise<readonly (readonly string[])[]> {
  const session = openSession(process.env, defaultTimeoutMs);
  try {
    const platform = await session.openPlatform();
    const found = platform.ok ? await platform.value.listWindows() : platform;
    if (!found.ok) return [];
    const { windows, withheld = [] } = found.value;
    return [...windows.map(namesOf), ...withheld.map(({ names }) => names)];
  } finally {
    session.close();
  }
}

async function carryOut(given: string, names: readonly string[], flags: Flags): Promise<Result<AppsValue>> {
  const order = verbs.find((one) => one === given);
  if (order === undefined) {
    return fail(describeUsage(`apps cannot ${JSON.stringify(given)}`, `deskmap apps ${verbs.join("|")} NAME`));
  }
  if (names.length === 0) return fail(describeUsage(`apps ${order} needs a name`, `deskmap apps ${order} mousepad`));
  const { findNameProblem } = await import("../../guard/policy/schema.ts");
  const [problem] = names.flatMap((name) => findNameProblem(name) ?? []);
  if (problem !== undefined) return fail(describeUsage(problem, "deskmap apps lists the names."));
  const known = await gather();
  if (!known.ok) return known;
  const unknown = flags.unseen ? undefined : findUnknown(known.value, names, order);
  if (unknown !== undefined) return fail(unknown);
  const changed = order === "forget" ? succeed(undefined) : await change(known.value, names, order);
  if (!changed.ok) return changed;
  const forgotten = order === "forget" || order === "blind" ? forget(known.value, names, order) : succeed(0);
  return forgotten.ok ? describe(known.value, names, order, forgotten.value) : forgotten;
}

/** Refuses unknown names: under a misspelt name, nothing would be protected. */
function findUnknown(known: Known, names: readonly string[], order: Verb): Failure | undefined {
  const all = [
    ...known.running.flat(),
    ...known.remembered.flatMap((one) => one.names),
    ...known.contacts.map(({ app }) => app),
    ...(known.loaded.written?.apps.keys() ?? []),
    ...listListedNames(),
  ];
  const isKnown = (name: string): boolean => all.some((one) => one.toLowerCase() === name.toLowerCase());
  const name = names.find((one) => !isKnown(one));
  if (name === undefined) return undefined;
  const quoted = JSON.stringify(name);
  const suggestion = `deskmap apps lists them; deskmap apps ${order} ${quoted} --unseen takes it all the same.`;
  const failure = makeFailure("NOT_FOUND", `no application was ever seen that is called ${quoted}`, suggestion);
  return { ...failure, nearest: nearest(name, all) };
}

async function change(known: Known, names: readonly string[], standing: Standing): Promise<Result<void>> {
  const { loaded, places } = known;
  const isLooser = (name: string): boolean =>
    standings.indexOf(standing) > standings.indexOf(findStand(loaded.common, [name]).standing);
  const loosened = names.filter(isLooser);
  const client = "person";
  const words = `${names.join(", ")}: ${standing}`;
  const records = new FileRecords(places);
  if (loosened.length > 0) {
    const was = loosened.map((name) => `${JSON.stringify(name)} is ${findStand(loaded.common, [name]).standing}`);
    const yes = await confirmAtTerminal(`${was.join(", ")}. It would be ${standing} from now on.`);
    if (!yes.ok) {
      records.write({ what: "refused", client, tool: "apps", effect: yes.failure.reason ?? "no", words });
      return yes;
    }
  }
  const approval = loosened.length > 0 ? "terminal" : undefined;
  const entry = { what: "policy", client, tool: "apps", apps: names, effect: standing, approval, words } as const;
  const written = records.write(entry);
  if (!written.ok) return written;
  const { changeStandings } = await import("../../guard/policy/edit.ts");
  return changeStandings(loaded, places, names, standing);
}

/** Compares all names: the map has one name of an application, and a person may give another. */
function forget(known: Known, names: readonly string[], order: Verb): Result<number> {
  const lower = (own: readonly string[]): string[] => own.map((name) => name.toLowerCase());
  const wanted = new Set(lower(names));
  const isMeant = (own: readonly string[]): boolean => lower(own).some((name) => wanted.has(name));
  const alike = new Set(lower(known.running.filter(isMeant).flat()));
  const apps = known.memory.apps
    .filter((one) => isMeant(one.names) || alike.has(one.app.toLowerCase()))
    .map(({ app }) => app);
  if (order === "forget") {
    const entry = { what: "policy", client: "person", tool: "apps", apps: names, effect: "forgotten" } as const;
    const written = new FileRecords(known.places).write(entry);
    if (!written.ok) return written;
  }
  const done = known.memory.forget(apps, order === "forget" ? "everywhere" : "here");
  return done.ok
    ? done
    : fail({ ...done.failure, done: order === "blind" ? "it is blind, and not forgotten." : nothingDone });
}

/** The standings now, and which other name keeps an application stricter than requested. */
async function describe(
  known: Known,
  names: readonly string[],
  order: Verb,
  forgotten: number,
): Promise<Result<AppsValue>> {
  const loaded = await loadPolicy(known.places, known.loaded.isPrivate);
  if (!loaded.ok) return loaded;
  const apps = names.map((name) => {
    const running = known.running.find((own) => own.some((one) => one.toLowerCase() === name.toLowerCase()));
    const { standing, entry } = findStand(loaded.value.common, [...(running ?? []), name]);
    const isKept = order !== "forget" && standing !== order;
    return { app: name, standing, because: isKept ? (entry ?? "") : "" };
  });
  return succeed({ order, apps, forgotten });
}
