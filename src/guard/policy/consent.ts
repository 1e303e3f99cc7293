import { closeSync } from "node:fs";
import type { AppAccount, Contact } from "../../model/consent.ts";
import { isInterpreter } from "../../model/interpreter.ts";
import { type Line, parseLine } from "../audit/chain.ts";
import { type LogFile, openLogFiles, readLogLines } from "../audit/lines.ts";
import type { Places } from "../places.ts";
import type { LoadedPolicy } from "./file.ts";
import { findStand } from "./policy.ts";

/** What is known of applications, from all that knows any. */
export interface Knowledge {
  /** The names of each application that runs, the one to be shown first. */
  readonly running: readonly (readonly string[])[];
  /** The names of each that the map remembers, and how many marks. */
  readonly remembered: readonly { readonly names: readonly string[]; readonly markCount: number }[];
  readonly contacts: readonly LoggedContact[];
}

export interface LoggedContact extends Contact {
  readonly app: string;
  readonly kind: "looked" | "acted";
}

/** How far back is looked: the file that is written now, and of the older ones as many as make this up. */
const enoughBytes = 64 * 1024 * 1024;

/** Who looked at what and acted on what, oldest first. */
export function readContacts(places: Places, enough = enoughBytes): readonly LoggedContact[] {
  const last = new Map<string, LoggedContact>();
  for (const line of readRecentLines(places, enough)) {
    if (line.what !== "look" && line.what !== "begin") continue;
    const kind = line.what === "look" ? "looked" : "acted";
    for (const app of new Set([...(line.apps ?? []), line.target?.app ?? ""])) {
      if (app !== "") last.set(`${kind} ${app}`, { app, kind, at: line.at, client: line.client });
    }
  }
  return [...last.values()];
}

function* readRecentLines(places: Places, enough: number): Generator<Line> {
  for (const file of openRecentFiles(places, enough)) {
    for (const { bytes } of readLogLines(file)) {
      const line = parseLine(bytes.toString());
      if (line !== undefined) yield line;
    }
  }
}

/** Oldest first; empty where nothing was written down yet, or where it cannot be read, which doctor tells. */
function openRecentFiles(places: Places, enough: number): readonly LogFile[] {
  let files: readonly LogFile[] = [];
  try {
    files = openLogFiles(places).files;
  } catch {
    return [];
  }
  let bytes = 0;
  const isRecent = files.toReversed().map((file) => {
    const isWanted = bytes < enough;
    bytes += file.bytes;
    if (!isWanted) closeSync(file.descriptor);
    return isWanted;
  });
  return files.filter((_file, index) => isRecent[files.length - 1 - index]);
}

/** Every application that runs, was seen, is remembered, was acted on or is named in the policy. */
export function listAccounts(loaded: LoadedPolicy, knowledge: Knowledge): AppAccount[] {
  const groups = new Groups();
  for (const names of knowledge.running) groups.add(names).isRunning = true;
  for (const { names, markCount } of knowledge.remembered) groups.addRemembered(names).markCount += markCount;
  for (const { app, kind, at, client } of knowledge.contacts) groups.add([app])[kind] = { at, client };
  for (const name of loaded.written?.apps.keys() ?? []) groups.add([name]);
  return groups.list().map((group) => describeGroup(loaded, group));
}

interface Group {
  readonly names: string[];
  isRunning: boolean;
  markCount: number;
  looked: Contact | undefined;
  acted: Contact | undefined;
}

/** Applications, each by all of its names, whoever calls it by which. That two have one interpreter makes them not one. */
class Groups {
  private readonly byName = new Map<string, Group>();

  add(names: readonly string[]): Group {
    const telling = listQualifyingSteps(names);
    const known = telling.map((name) => this.byName.get(name.toLowerCase())).find((group) => group !== undefined);
    const group = known ?? { names: [], isRunning: false, markCount: 0, looked: undefined, acted: undefined };
    for (const name of names) {
      if (group.names.every((own) => own.toLowerCase() !== name.toLowerCase())) group.names.push(name);
    }
    for (const name of telling) {
      if (!this.byName.has(name.toLowerCase())) this.byName.set(name.toLowerCase(), group);
    }
    return group;
  }

  /** The map knows programs of one interpreter together: what it remembers is one of them's only where nobody else is meant. */
  addRemembered(names: readonly string[]): Group {
    const interpreters = names.filter(isInterpreter);
    if (interpreters.length === 0) return this.add(names);
    const telling = names.filter((name) => !isInterpreter(name));
    const owners = new Set(telling.map((name) => this.byName.get(name.toLowerCase())));
    const [owner] = owners;
    return owners.size === 1 && owner !== undefined ? owner : this.add(interpreters);
  }

  list(): Group[] {
    return [...new Set(this.byName.values())].sort((a, b) => (a.names[0] ?? "").localeCompare(b.names[0] ?? ""));
  }
}

function listQualifyingSteps(names: readonly string[]): readonly string[] {
  const telling = names.filter((name) => !isInterpreter(name));
  return telling.length === 0 ? names : telling;
}

function describeGroup({ common, written }: LoadedPolicy, group: Group): AppAccount {
  const [app = ""] = group.names;
  const { standing, entry } = findStand(common, group.names);
  const isOwn = written !== undefined && entry !== undefined && written.apps.has(entry);
  return {
    app,
    standing,
    why: entry === undefined ? "" : isOwn ? "policy" : "default",
    entry: entry === undefined || entry === app.toLowerCase() ? "" : entry,
    isRunning: group.isRunning,
    markCount: group.markCount,
    lookedAt: group.looked,
    actedOn: group.acted,
  };
}
