import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fail, type Result, succeed } from "../model/failure.ts";
import { processes } from "../os/index.ts";
import type { SandboxRecord } from "./record.ts";
import { explainStopFailure, explainUnknownName } from "./refusals.ts";
import { locateRegistry } from "./registry.ts";
import { clearSandbox, sweepSandboxes } from "./sweep.ts";
import { REQUESTER_FILE } from "./traces.ts";

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
