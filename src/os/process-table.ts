import type { Processes, ProcessIdentity, ProcessKey, ProcessRow } from "./port.ts";

/** What every system can derive from a table of processes. */
export abstract class ProcessTable implements Processes {
  abstract read(pid: number): ProcessRow | undefined;
  abstract identify(pid: number): ProcessIdentity | undefined;
  abstract list(): readonly ProcessRow[];
  abstract readArguments(pid: number): readonly string[];
  abstract readVariables(pid: number): readonly string[] | undefined;
  abstract describePidScope(): string;
  abstract describeMemoryScope(pid: number): string | undefined;
  abstract adoptOrphans(): boolean;
  abstract reap(pid: number): void;
  abstract limitSuspension(ms: number): () => void;

  listChildren(pid: number): readonly ProcessRow[] {
    return this.list().filter((row) => row.parentPid === pid);
  }

  listDescendants(pid: number, table = this.list()): readonly ProcessRow[] {
    const childrenByParent = Map.groupBy(table, (row) => row.parentPid);
    const found: ProcessRow[] = [];
    const queue = [...(childrenByParent.get(pid) ?? [])];
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      found.push(row);
      queue.push(...(childrenByParent.get(row.pid) ?? []));
    }
    return found;
  }

  listLineage(pid: number): readonly number[] {
    const lineage: number[] = [];
    for (let row = this.read(pid); row !== undefined && !lineage.includes(row.pid); row = this.read(row.parentPid)) {
      lineage.push(row.pid);
    }
    return lineage;
  }

  own(): ProcessKey {
    return { pid: process.pid, startTicks: this.read(process.pid)?.startTicks ?? 0 };
  }

  isRunning(pid: number): boolean {
    const row = this.read(pid);
    return row !== undefined && row.state !== "ended";
  }

  isAlive({ pid, startTicks }: ProcessKey): boolean {
    const row = this.read(pid);
    return row !== undefined && row.startTicks === startTicks && row.state !== "ended";
  }

  isSuspended(pid: number): boolean {
    return this.read(pid)?.state === "suspended";
  }

  signal(key: ProcessKey, name: NodeJS.Signals): void {
    if (!this.isAlive(key)) return;
    try {
      process.kill(key.pid, name);
    } catch {
      // It has just ended, or belongs to another user since it ran a set-uid program.
    }
  }
}
