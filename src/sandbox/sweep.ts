import { join } from "node:path";
import { processes } from "../os/index.ts";
import { endProcesses, findInside } from "./end-processes.ts";
import type { SandboxRecord } from "./record.ts";
import { locateRegistry, readRecords, removeRecord } from "./registry.ts";
import { isListening, removeTraces } from "./traces.ts";

/** Cleans up after sandboxes whose supervisor was killed. Returns the records of the running ones. */
export async function sweepSandboxes(registryDirectory = locateRegistry()): Promise<SandboxRecord[]> {
  const living: SandboxRecord[] = [];
  for (const record of readRecords(registryDirectory)) {
    if (await isAlive(record)) living.push(record);
    else await clearSandbox(registryDirectory, record);
  }
  return living.sort((a, b) => a.openedAt.localeCompare(b.openedAt));
}

export async function clearSandbox(registryDirectory: string, record: SandboxRecord): Promise<void> {
  const hasOurPids = record.pidOrigin === processes.describePidScope();
  const find = () =>
    findInside({
      root: record.root,
      supervisorPid: null,
      recorded: hasOurPids ? record.parts : [],
      exceptPids: [process.pid],
      requesterPid: process.pid,
    });
  await endProcesses(find);
  await removeTraces(record);
  removeRecord(registryDirectory, record);
}

async function isAlive(record: SandboxRecord): Promise<boolean> {
  if (record.pidOrigin === processes.describePidScope()) return processes.isAlive(record.supervisor);
  // Written in another container that shares this directory, or before a reboot.
  return isListening(join(record.root, "run", "bus"));
}
