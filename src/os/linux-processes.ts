import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type * as CLibrary from "./c-library.ts";
import type { ProcessIdentity, ProcessRow } from "./port.ts";
import { ProcessTable } from "./process-table.ts";

// <linux/prctl.h>, <linux/wait.h>
const setChildSubreaper = 36;
const waitAtOnce = 1;

function c(): typeof CLibrary {
  return require("./c-library.ts");
}

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/** The fields after the name, which may contain spaces and parentheses (proc_pid_stat(5)); the state is the first. */
export function readStat(pid: number): string[] | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** PF_EXITING of the kernel's flags (include/linux/sched.h). */
const exitingFlag = 0x4;

function toState(letter: string, flags: number): ProcessRow["state"] {
  if ("ZX".includes(letter)) return "ended";
  if ((flags & exitingFlag) !== 0) return "exiting";
  return "Tt".includes(letter) ? "suspended" : "running";
}

function splitAtZero(text: string | undefined): readonly string[] | undefined {
  return text?.split("\0").filter((word) => word !== "");
}

export class LinuxProcesses extends ProcessTable {
  override read(pid: number): ProcessRow | undefined {
    const fields = readStat(pid);
    const startTicks = Number(fields?.[19]);
    if (fields === undefined || !Number.isFinite(startTicks)) return undefined;
    const [state = "", parentPid] = fields;
    return {
      pid,
      startTicks,
      parentPid: Number(parentPid),
      state: toState(state, Number(fields[6])),
    };
  }

  override list(): readonly ProcessRow[] {
    return this.readAll(readdirSync("/proc"));
  }

  override listChildren(pid: number): readonly ProcessRow[] {
    // Not every kernel has this list.
    const listed = readText(`/proc/${pid}/task/${pid}/children`)?.trim().split(" ");
    if (listed === undefined) return super.listChildren(pid);
    return this.readAll(listed).filter((row) => row.parentPid === pid);
  }

  private readAll(pids: readonly string[]): readonly ProcessRow[] {
    return pids.filter((entry) => /^\d+$/.test(entry)).flatMap((entry) => this.read(Number(entry)) ?? []);
  }

  override readArguments(pid: number): readonly string[] {
    return splitAtZero(readText(`/proc/${pid}/cmdline`)) ?? [];
  }

  override readVariables(pid: number): readonly string[] | undefined {
    return splitAtZero(readText(`/proc/${pid}/environ`));
  }

  override identify(pid: number): ProcessIdentity | undefined {
    const row = this.read(pid);
    if (row === undefined || row.state === "ended") return undefined;
    try {
      // Of the running program itself, also after its file was replaced.
      const { dev, ino } = statSync(`/proc/${pid}/exe`);
      const program = readlinkSync(`/proc/${pid}/exe`);
      const { uid } = statSync(`/proc/${pid}`);
      const { startTicks } = row;
      const scope = this.describePidScope();
      // The pid may have been reused while its files were read.
      return this.isAlive(row) ? { pid, startTicks, uid, program, file: `${dev}:${ino}`, scope } : undefined;
    } catch {
      // It has just ended, or the kernel hides the programs of other users.
      return undefined;
    }
  }

  override describePidScope(): string {
    const bootId = readText("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
    let pidNamespace = "";
    try {
      pidNamespace = readlinkSync("/proc/self/ns/pid");
    } catch {
      // A kernel without namespaces has only one.
    }
    return `${bootId} ${pidNamespace}`;
  }

  override describeMemoryScope(pid: number): string | undefined {
    try {
      return readlinkSync(`/proc/${pid}/ns/ipc`);
    } catch {
      return undefined;
    }
  }

  override adoptOrphans(): boolean {
    return c().children().prctl(setChildSubreaper, 1, 0, 0, 0) === 0;
  }

  override reap(pid: number): void {
    c().children().waitpid(pid, null, waitAtOnce);
  }

  override limitSuspension(ms: number): () => void {
    return c().limitSuspension(ms);
  }
}
