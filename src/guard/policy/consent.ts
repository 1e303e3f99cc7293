import { closeSync } from "node:fs";
import type { AppAccount, Contact } from "../../model/consent.ts";
import { isInterpreter } from "../../model/interpreter.ts";
import { type LogFile, openLogFiles, parseLogFiles } from "../audit/log-files.ts";
import type { Places } from "../places.ts";
import type { LoadedPolicy } from "./file.ts";
import { findStand } from "./policy.ts";

export interface Knowledge {
  readonly running: readonly (readonly string[])[];
  readonly remembered: readonly { readonly names: readonly string[]; readonly markCount: number }[];
  readonly contacts: readonly LoggedContact[];
}

export interface LoggedContact extends Contact {
  readonly app: string;
  readonly kind: "looked" | "acted";
}

/** How much of the log is read: its current file, and older ones up to this size. */
const enoughBytes = 64 * 1024 * 1024;

/** The last look at and the last action on each application, oldest first. */
export function readContacts(places: Places, enough = enoughBytes): readonly LoggedContact[] {
  const last = new Map<string, LoggedContact>();
  for (const line of parseLogFiles(openRecentFiles(places, enough))) {
    if (line.what !== "look" && line.what !== "begin") continue;
    const kind = line.what === "look" ? "looked" : "acted";
    for (const app of new Set([...(line.apps ?? []), line.target?.app ?? ""])) {
      if (app !== "") last.set(`${kind} ${app}`, { app, kind, at: line.at, client: line.client, named: line.named });
    }
  }
  return [...last.values()];
}

/** Oldest first; empty if nothing was logged yet, or if the log cannot be read, which doctor reports. */
function openRecentFiles(places: Places, enough: number): readonly LogFile[] {
  const recent: LogFile[] = [];
  try {
    let bytes = 0;
    for (const file of openLogFiles(places).files.toReversed()) {
      if (bytes < enough) recent.unshift(file);
      else closeSync(file.descriptor);
      bytes += file.bytes;
    }
  } catch {
    return [];
  }
  return recent;
}

/** All applications that run, are in the log or the map, or are named in the policy. */
export function listAccounts(loaded: LoadedPolicy, knowledge: Knowledge): AppAccount[] {
  const groups = new Groups();
  for (const names of knowledge.running) groups.add(names).isRunning = true;
  for (const { names, markCount } of knowledge.remembered) groups.addRemembered(names).markCount += markCount;
  for (const { app, kind, ...contact } of knowledge.contacts) groups.add([app])[kind] = contact;
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

/** Groups the names of each application. A common interpreter does not make two programs one. */
class Groups {
  private readonly byName = new Map<string, Group>();

  add(names: readonly string[]): Group {
    const telling = listDistinctNames(names);
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

  /** The map does not tell programs of one interpreter apart: its marks go to a program only if no other is meant. */
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

function listDistinctNames(names: readonly string[]): readonly string[] {
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
