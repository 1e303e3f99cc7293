import { setTimeout as pause } from "node:timers/promises";
import { type ProcessKey, processes } from "../os/index.ts";
import type { SandboxRecord } from "./record.ts";

/** Set for every process of a sandbox; its value, the sandbox's directory, is unique. */
export const ROOT_VARIABLE = "DESKMAP_SANDBOX_ROOT";

const POLL_MS = 5;
const TERM_GRACE_MS = 800;
const KILL_GRACE_MS = 3000;

type Search = {
  root: string;
  /** All its descendants are inside; null if it is dead and its children were reparented. */
  supervisorPid: number | null;
  /** Known from the record, whatever their environment contains. */
  recorded: readonly ProcessKey[];
  /** That of the processes within a boundary, which cannot leave it by clearing their environment. */
  memoryScope: string | undefined;
  /** Never ended: the process that does the ending. */
  exceptPids: readonly number[];
  /** The requester of the stop, if it has the sandbox's environment but is outside its tree: it ends by itself. */
  requesterPid: number | null;
};

export function findInside(search: Search): ProcessKey[] {
  const table = processes.list().filter((row) => row.state !== "ended" && !search.exceptPids.includes(row.pid));
  const below = search.supervisorPid === null ? [] : processes.listDescendants(search.supervisorPid, table);
  const spared = search.requesterPid === null ? [] : processes.listLineage(search.requesterPid);
  const mark = `${ROOT_VARIABLE}=${search.root}`;
  const isMarked = (pid: number): boolean =>
    processes.readVariables(pid)?.includes(mark) === true ||
    (search.memoryScope !== undefined && processes.describeMemoryScope(pid) === search.memoryScope);
  const marked = table.filter((row) => !spared.includes(row.pid) && isMarked(row.pid));
  const found = [...below, ...marked, ...search.recorded.filter((key) => processes.isAlive(key))];
  return [...new Map(found.map(({ pid, startTicks }) => [pid, { pid, startTicks }])).values()];
}

export function findMemoryScope({ boundary }: SandboxRecord): string | undefined {
  return boundary.kind === "bounded" && boundary.memoryScope !== "" ? boundary.memoryScope : undefined;
}

/** Sends SIGTERM, then SIGKILL, until the search finds nothing. Returns what is left. */
export async function endProcesses(find: () => ProcessKey[]): Promise<ProcessKey[]> {
  // Nothing tells to which sandbox an exiting process belonged: all are waited for. A large one takes half a second.
  const exiting = processes.list().filter((row) => row.state === "exiting");
  let left = await signalUntilGone(find, "SIGTERM", TERM_GRACE_MS);
  if (left.length > 0) left = await signalUntilGone(find, "SIGKILL", KILL_GRACE_MS);
  const deadlineMs = performance.now() + KILL_GRACE_MS;
  while (exiting.some((key) => processes.isAlive(key)) && performance.now() < deadlineMs) await pause(POLL_MS);
  return left;
}

async function signalUntilGone(
  find: () => ProcessKey[],
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<ProcessKey[]> {
  const deadlineMs = performance.now() + graceMs;
  const asked = new Set<string>();
  for (;;) {
    // The full search reads the whole process table, so it is repeated only when all known processes are gone.
    let known = find();
    if (known.length === 0) return [];
    for (const key of known.filter(({ pid, startTicks }) => !asked.has(`${pid} ${startTicks}`))) {
      processes.signal(key, signal);
      asked.add(`${key.pid} ${key.startTicks}`);
    }
    while (known.length > 0) {
      if (performance.now() > deadlineMs) return find();
      await pause(POLL_MS);
      known = known.filter((key) => processes.isAlive(key));
    }
  }
}
