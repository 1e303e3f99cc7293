import { readFileSync } from "node:fs";

/** A process and all those that it was started from. */
export function listLineage(ofPid: number): number[] {
  const lineage: number[] = [];
  let pid = ofPid;
  while (pid > 0 && !lineage.includes(pid)) {
    lineage.push(pid);
    pid = readParent(pid);
  }
  return lineage;
}

function readParent(pid: number): number {
  return Number(readStat(pid)?.[1] ?? 0);
}

/** Whether a process runs; one that has ended and only waits to be buried does not. */
export function isRunning(pid: number): boolean {
  const state = readStat(pid)?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

/** What follows the name, which may itself hold spaces and parentheses (proc_pid_stat(5)). */
function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
