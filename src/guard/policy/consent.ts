import { readFileSync } from "node:fs";
import type { AppAccount, Contact } from "../../model/consent.ts";
import { parseLine } from "../audit/chain.ts";
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

/** Who looked at what and acted on what, oldest first. */
export function readContacts({ audit }: Places): readonly LoggedContact[] {
  let text = "";
  try {
    text = readFileSync(audit, "utf8");
  } catch {
    // Nothing was written down yet, or it cannot be read, which doctor tells.
  }
  const last = new Map<string, LoggedContact>();
  for (const one of text.split("\n")) {
    const line = one === "" ? undefined : parseLine(one);
    if (line === undefined || (line.what !== "look" && line.what !== "begin")) continue;
    const kind = line.what === "look" ? "looked" : "acted";
    for (const app of new Set([...(line.apps ?? []), line.target?.app ?? ""])) {
      if (app !== "") last.set(`${kind} ${app}`, { app, kind, at: line.at, client: line.client });
    }
  }
  return [...last.values()];
}

/** Every application that runs, was seen, is remembered, was acted on or is named in the policy. */
export function listAccounts(loaded: LoadedPolicy, knowledge: Knowledge): AppAccount[] {
  const groups = new Groups();
  for (const names of knowledge.running) groups.add(names).isRunning = true;
  for (const { names, markCount } of knowledge.remembered) groups.add(names).markCount += markCount;
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

/** Applications, each by all of its names, whoever calls it by which. */
class Groups {
  private readonly byName = new Map<string, Group>();

  add(names: readonly string[]): Group {
    const known = names.map((name) => this.byName.get(name.toLowerCase())).find((group) => group !== undefined);
    const group = known ?? { names: [], isRunning: false, markCount: 0, looked: undefined, acted: undefined };
    for (const name of names) {
      if (group.names.every((own) => own.toLowerCase() !== name.toLowerCase())) group.names.push(name);
      if (!this.byName.has(name.toLowerCase())) this.byName.set(name.toLowerCase(), group);
    }
    return group;
  }

  list(): Group[] {
    return [...new Set(this.byName.values())].sort((a, b) => (a.names[0] ?? "").localeCompare(b.names[0] ?? ""));
  }
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
