import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A pid may be reused; together with the start time it names one process for as long as the machine runs. */
export type ProcessKey = { pid: number; startTicks: number };
type ProcessRow = ProcessKey & { parentPid: number; isZombie: boolean };

export function readProcess(pid: number): ProcessRow | null {
  const stat = readProcFile(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The program's name is in parentheses and may itself hold spaces and parentheses (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parentPid, startTicks] = [fields[0], Number(fields[1]), Number(fields[19])];
  if (!Number.isFinite(startTicks)) return null;
  return { pid, startTicks, parentPid, isZombie: state === "Z" || state === "X" };
}

export function readProcessKey(pid: number): ProcessKey | null {
  const row = readProcess(pid);
  return row === null ? null : { pid, startTicks: row.startTicks };
}

export function isRunning(key: ProcessKey): boolean {
  const row = readProcess(key.pid);
  return row !== null && row.startTicks === key.startTicks && !row.isZombie;
}

/** Signals exactly this process: never one that has got its pid since. */
export function signalProcess(key: ProcessKey, signal: NodeJS.Signals): void {
  if (!isRunning(key)) return;
  try {
    process.kill(key.pid, signal);
  } catch {
    // It has just ended, or has become another user's by a set-uid program; whoever waits for it will see.
  }
}

export function readProcessTable(): ProcessRow[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => readProcess(Number(entry)))
    .filter((row) => row !== null);
}

export function listDescendants(ancestorPid: number, table: readonly ProcessRow[]): ProcessRow[] {
  const childrenByParent = Map.groupBy(table, (row) => row.parentPid);
  const found: ProcessRow[] = [];
  const queue = [...(childrenByParent.get(ancestorPid) ?? [])];
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    found.push(row);
    queue.push(...(childrenByParent.get(row.pid) ?? []));
  }
  return found;
}

/** The process and all those above it. */
export function listLineage(pid: number): number[] {
  const lineage: number[] = [];
  for (let row = readProcess(pid); row !== null && !lineage.includes(row.pid); row = readProcess(row.parentPid)) {
    lineage.push(row.pid);
  }
  return lineage;
}

/** Whether the process was started with this variable; what it has set since is not seen. */
export function wasStartedWith(pid: number, variable: string, value: string): boolean {
  const environ = readProcFile(`/proc/${pid}/environ`);
  return environ !== null && `\0${environ}`.includes(`\0${variable}=${value}\0`);
}

/** Where pids mean what they mean here: after a restart of the machine or in another container they mean others. */
export function readPidOrigin(): string {
  const bootId = readProcFile("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  let pidNamespace = "";
  try {
    pidNamespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // A kernel without namespaces has only one.
  }
  return `${bootId} ${pidNamespace}`;
}

function readProcFile(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return null;
  }
}
