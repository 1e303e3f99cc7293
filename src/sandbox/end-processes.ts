import { setTimeout as pause } from "node:timers/promises";
import {
  isRunning,
  listDescendants,
  listLineage,
  type ProcessKey,
  readProcessTable,
  signalProcess,
  wasStartedWith,
} from "./process-table.ts";

/** Every process inside a sandbox is started with this variable; its value, the sandbox's own directory, is unique. */
export const ROOT_VARIABLE = "DESKMAP_SANDBOX_ROOT";

const POLL_MS = 5;
const TERM_GRACE_MS = 800;
const KILL_GRACE_MS = 3000;

type Search = {
  root: string;
  /** Everything below it is inside; null when it is dead and its children have moved to another parent. */
  supervisorPid: number | null;
  /** Known from the record, whatever their environment says. */
  recorded: readonly ProcessKey[];
  /** Never ended: whoever does the ending. */
  exceptPids: readonly number[];
  /** Whoever asked to stop, when it runs in the sandbox's environment but outside its tree: it ends by itself. */
  requesterPid: number | null;
};

export function findInside(search: Search): ProcessKey[] {
  const table = readProcessTable().filter((row) => !row.isZombie && !search.exceptPids.includes(row.pid));
  const below = search.supervisorPid === null ? [] : listDescendants(search.supervisorPid, table);
  const spared = search.requesterPid === null ? [] : listLineage(search.requesterPid);
  const marked = table.filter(
    (row) => !spared.includes(row.pid) && wasStartedWith(row.pid, ROOT_VARIABLE, search.root),
  );
  const found = [...below, ...marked, ...search.recorded.filter(isRunning)];
  return [...new Map(found.map(({ pid, startTicks }) => [pid, { pid, startTicks }])).values()];
}

/** Asks, then forces, until the search finds nothing more. Returns what outlived even that. */
export async function endProcesses(find: () => ProcessKey[]): Promise<ProcessKey[]> {
  let left = await signalUntilGone(find, "SIGTERM", TERM_GRACE_MS);
  if (left.length > 0) left = await signalUntilGone(find, "SIGKILL", KILL_GRACE_MS);
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
    // The full search is repeated only when all known ones are gone: it reads the whole of /proc.
    let known = find();
    if (known.length === 0) return [];
    for (const key of known.filter(({ pid, startTicks }) => !asked.has(`${pid} ${startTicks}`))) {
      signalProcess(key, signal);
      asked.add(`${key.pid} ${key.startTicks}`);
    }
    while (known.length > 0) {
      if (performance.now() > deadlineMs) return find();
      await pause(POLL_MS);
      known = known.filter(isRunning);
    }
  }
}
