import { readdirSync, readFileSync } from "node:fs";

/** A pid may be given to another process later; together with its start it names one for as long as the machine runs. */
export interface ProcessKey {
  readonly pid: number;
  /** In ticks since the machine started; 0 where the system does not tell. */
  readonly startTicks: number;
}

/** How the process that lets go of keys and buttons after another's end calls itself. */
const watchdogName = "deskmap-input-watchdog";

interface ProcessRow extends ProcessKey {
  readonly parentPid: number;
  readonly state: string;
}

export function readOwnKey(): ProcessKey {
  return { pid: process.pid, startTicks: readRow(process.pid)?.startTicks ?? 0 };
}

export function isAlive(key: ProcessKey): boolean {
  const row = readRow(key.pid);
  return row !== undefined && row.startTicks === key.startTicks && !["Z", "X"].includes(row.state);
}

/** Whether it stands still by somebody's order (SIGSTOP, a debugger). */
export function isSuspended({ pid }: ProcessKey): boolean {
  return ["T", "t"].includes(readRow(pid)?.state ?? "");
}

/** Signals this very process: never one that has got its pid since. */
export function signal(key: ProcessKey, name: NodeJS.Signals): void {
  if (!isAlive(key)) return;
  try {
    process.kill(key.pid, name);
  } catch {
    // It has just ended.
  }
}

/** What lets go of a process's keys and buttons when it ends; it goes on after it until that is done. */
export function listWatchdogs({ pid }: ProcessKey): ProcessKey[] {
  return listChildren(pid)
    .filter((row) => readFile(`/proc/${row.pid}/cmdline`)?.includes(watchdogName) === true)
    .map(({ pid: child, startTicks }) => ({ pid: child, startTicks }));
}

function listChildren(pid: number): ProcessRow[] {
  // Not every kernel keeps this list.
  const listed = readFile(`/proc/${pid}/task/${pid}/children`)?.trim().split(" ");
  const pids = (listed ?? readdirSync("/proc")).filter((entry) => /^\d+$/.test(entry));
  return pids.flatMap((entry) => readRow(Number(entry)) ?? []).filter((row) => row.parentPid === pid);
}

function readRow(pid: number): ProcessRow | undefined {
  const stat = readFile(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The program's name is in parentheses and may itself hold spaces and parentheses (proc_pid_stat(5)).
  const [state = "", parentPid, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, state, parentPid: Number(parentPid), startTicks: Number(rest[17]) };
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
