import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fail, type Result, succeed } from "../model/failure.ts";
import { processes } from "../os/index.ts";
import { endProcesses, findInside, findMemoryScope } from "./end-processes.ts";
import type { SandboxRecord } from "./record.ts";
import { explainStopFailure, explainUnknownName } from "./refusals.ts";
import { locateRegistry, readRecords, removeRecord } from "./registry.ts";
import { isListening, REQUESTER_FILE, removeTraces } from "./traces.ts";

const POLL_MS = 5;
const STOP_TIMEOUT_MS = 8000;

/** The running sandboxes of this user, oldest first. Cleans up after killed ones. */
export function listSandboxes(): Promise<SandboxRecord[]> {
  return sweepSandboxes(locateRegistry());
}

export async function findSandbox(name: string): Promise<Result<SandboxRecord>> {
  const running = await listSandboxes();
  const found = running.find((record) => record.name === name);
  return found === undefined ? fail(explainUnknownName(name, running)) : succeed(found);
}

/** Resolves when no process and no file of it is left. */
export async function stopSandbox(name: string): Promise<Result<SandboxRecord>> {
  const found = await findSandbox(name);
  if (!found.ok) return found;
  const record = found.value;
  try {
    writeFileSync(join(record.root, REQUESTER_FILE), String(process.pid));
  } catch {
    // It is just closing by itself.
  }
  processes.signal(record.supervisor, "SIGTERM");
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
  while (processes.isAlive(record.supervisor) && performance.now() < deadlineMs) await pause(POLL_MS);
  if (!processes.isAlive(record.supervisor)) return succeed(record);
  processes.signal(record.supervisor, "SIGKILL");
  await clearSandbox(locateRegistry(), record);
  return processes.isAlive(record.supervisor)
    ? fail(explainStopFailure(name, `process ${record.supervisor.pid}`))
    : found;
}

/** Cleans up after sandboxes whose supervisor was killed. Returns the records of the running ones. */
export async function sweepSandboxes(registryDirectory = locateRegistry()): Promise<SandboxRecord[]> {
  const living: SandboxRecord[] = [];
  for (const record of readRecords(registryDirectory)) {
    if (await isAlive(record)) living.push(record);
    else await clearSandbox(registryDirectory, record);
  }
  return living.sort((a, b) => a.openedAt.localeCompare(b.openedAt));
}

async function clearSandbox(registryDirectory: string, record: SandboxRecord): Promise<void> {
  const hasOurPids = record.pidOrigin === processes.describePidScope();
  const find = () =>
    findInside({
      root: record.root,
      supervisorPid: null,
      recorded: hasOurPids ? record.parts : [],
      memoryScope: hasOurPids ? findMemoryScope(record) : undefined,
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
