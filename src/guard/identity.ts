import { type ProcessIdentity, type ProcessKey, processes, terminals, user } from "../os/index.ts";
import type { Naming } from "./audit/chain.ts";
import type { Grant } from "./audit/ledger.ts";
import { type Client, commandLine } from "./gate.ts";

/** A start time that no process has: for clients that share a process, and those whose process is not known. */
export const unknownStart = -1;

export function judgeName(client: Client, listGrants: () => readonly Grant[], nowMs = Date.now()): Naming {
  const { name, process } = client;
  if (process === undefined || !processes.isAlive(process)) return "claimed";
  if (name === commandLine && terminals.isTypedInto(process)) return "typed";
  const isAllowed = listGrants().some((grant) => grant.untilMs > nowMs && isForClient(grant, client));
  return isAllowed ? "allowed" : "claimed";
}

/**
 * Whether the policy's rules for a name are for this client alone: its name was typed, or a person has said whose it is
 * (`deskmap allow --trust-name`). A grant that lifts limits has told that person nothing of rules.
 */
export function isNameTrusted(client: Client, listGrants: () => readonly Grant[]): boolean {
  const listTrusted = () => listGrants().filter(({ isNameOnly }) => isNameOnly === true);
  return judgeName(client, listTrusted) !== "claimed";
}

/** Whether a grant that names a client is for this one: by its name, and by the process that a person saw. */
export function isForClient({ client, process }: Grant, { name, process: caller }: Client): boolean {
  return client?.toLowerCase() === name.toLowerCase() && process !== undefined && isRunBy(process, caller);
}

/** Whether a process is the one that was identified, or was started by it. The identified one must still run its program. */
function isRunBy(identity: ProcessIdentity, caller: ProcessKey | undefined): boolean {
  if (caller === undefined || !processes.isAlive(caller)) return false;
  const found = processes.identify(identity.pid);
  return found !== undefined && isSame(found, identity) && processes.listLineage(caller.pid).includes(identity.pid);
}

function isSame(one: ProcessIdentity, other: ProcessIdentity): boolean {
  const isSameProcess = one.pid === other.pid && one.startTicks === other.startTicks && one.scope === other.scope;
  return isSameProcess && one.uid === other.uid && one.program === other.program && one.file === other.file;
}

/** The client's process, if it still runs. */
export function findCaller({ process }: Client): ProcessIdentity | undefined {
  const found = process && processes.identify(process.pid);
  return found?.startTicks === process?.startTicks ? found : undefined;
}

/** For people: what supports a client's name, and which process it is. */
export function describeNaming(
  naming: Naming,
  process?: { readonly pid: number; readonly program: string } | undefined,
): string {
  const whose = process === undefined ? "its process is not known" : `process ${process.pid}, ${process.program}`;
  return `${naming}; ${whose}`;
}

/** The identity of a process to which a person may give a name; undefined if it has none. */
export function identifyOwn(pid: number): ProcessIdentity | undefined {
  const found = pid > 1 ? processes.identify(pid) : undefined;
  return found !== undefined && user.owns(found) ? found : undefined;
}
