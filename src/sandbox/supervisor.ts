import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../model/caught.ts";
import { folders, processes } from "../os/index.ts";
import { adoptOrphans, reapAdopted } from "./adopted.ts";
import { buildDesktop } from "./build-desktop.ts";
import type { Reservation } from "./desktop-parts.ts";
import { endProcesses, findInside, findMemoryScope } from "./end-processes.ts";
import { type CloseReason, makeLineSplitter, type OpenRequest, parseRequest, type Report } from "./protocol.ts";
import type { SandboxRecord } from "./record.ts";
import { explainNameTaken, explainStartFailure } from "./refusals.ts";
import { claimRecord, removeEmptyRegistry, removeRecord } from "./registry.ts";
import { sweepSandboxes } from "./running.ts";
import { REQUESTER_FILE, ROOT_PREFIX, removeTraces } from "./traces.ts";
import { endWatchdog, startWatchdog } from "./watchdog.ts";
import { findUnmarkedClients } from "./x-client.ts";

/** Owns one sandbox from its first process to its last file. Runs in a separate process and session. */
async function runSupervisor(): Promise<void> {
  adoptOrphans();
  reportFaults();
  const closing = Promise.withResolvers<CloseReason>();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => closing.resolve("asked"));
  const request = await readRequests(() => closing.resolve("asked"));
  try {
    if (request !== undefined) await superviseSandbox(request, closing);
    process.exit(0);
  } catch (error) {
    // The watchdog cleans up.
    report({ kind: "failed", failure: explainStartFailure(error) });
    process.exit(1);
  }
}

async function superviseSandbox(request: OpenRequest, closing: PromiseWithResolvers<CloseReason>): Promise<void> {
  const record = draftRecord(request);
  if (!claimName(request, record)) {
    report({ kind: "failed", failure: explainNameTaken(request.name) });
    return;
  }
  const watchdog = startWatchdog(request.registryDirectory);
  const abort = new AbortController();
  const reservations: Reservation[] = [];
  const links = { signal: abort.signal, report, close: closing.resolve, reservations };
  const building = buildDesktop(request, record, links).catch((error: unknown) => {
    if (!abort.signal.aborted) report({ kind: "failed", failure: explainStartFailure(error) });
    closing.resolve("failed");
  });
  const reason = await closing.promise;
  abort.abort();
  await building;
  report({ kind: "closing", reason });
  await tearDown(request, record, watchdog, reservations);
}

async function tearDown(
  request: OpenRequest,
  record: SandboxRecord,
  watchdog: ChildProcess,
  reservations: readonly Reservation[],
): Promise<void> {
  const requesterPid = readRequesterPid(record.root);
  const exceptPids = [process.pid, watchdog.pid ?? -1];
  // Queried while the display still exists.
  const recorded = [...record.parts, ...(await findUnmarkedClients(record))];
  const memoryScope = findMemoryScope(record);
  const search = { root: record.root, supervisorPid: process.pid, recorded, memoryScope, exceptPids, requesterPid };
  await endProcesses(() => findInside(search));
  for (const reservation of reservations) reservation.release();
  await removeTraces(record);
  removeRecord(request.registryDirectory, record);
  // The supervisor of a sandbox inside this one may have been killed before it had cleaned up.
  await sweepSandboxes(request.registryDirectory);
  await endWatchdog(watchdog);
  reapAdopted();
}

function claimName(request: OpenRequest, record: SandboxRecord): boolean {
  let isClaimed = false;
  try {
    isClaimed = claimRecord(request.registryDirectory, record);
  } finally {
    if (!isClaimed) rmSync(record.root, { recursive: true, force: true });
    if (!isClaimed) removeEmptyRegistry(request.registryDirectory);
  }
  return isClaimed;
}

function draftRecord(request: OpenRequest): SandboxRecord {
  const supervisor = processes.own();
  if (supervisor.startTicks === 0) throw new Error("the system does not report when a process was started");
  return {
    version: 2,
    name: request.name,
    state: "starting",
    openedAt: new Date().toISOString(),
    width: request.width,
    height: request.height,
    app: request.app,
    root: mkdtempSync(join(chooseFolder(request), ROOT_PREFIX)),
    supervisor,
    pidOrigin: processes.describePidScope(),
    parts: [],
    display: "",
    xSocketInode: 0,
    variables: { set: {}, unset: [] },
    boundary: { kind: "trusted" },
  };
}

/** The display's socket is linked into a folder below /tmp, and links do not cross file systems. */
function chooseFolder({ boundary }: OpenRequest): string {
  return boundary.wish === "off" ? folders.temporary() : "/tmp";
}

/** Written by `stopSandbox`: the requester must not be ended before it can report the outcome. */
function readRequesterPid(root: string): number | null {
  try {
    return Number(readFileSync(join(root, REQUESTER_FILE), "utf8")) || null;
  } catch {
    return null;
  }
}

/** Resolves with the open request; afterwards end of input closes the sandbox, unless it is to be kept. */
function readRequests(onParentGone: () => void): Promise<OpenRequest | undefined> {
  return new Promise((resolve) => {
    let isKept = false;
    const split = makeLineSplitter((line) => {
      const request = parseRequest(line);
      if (request?.kind === "keep") isKept = true;
      else resolve(request);
    });
    const onEnd = () => {
      resolve(undefined);
      if (!isKept) onParentGone();
    };
    process.stdin.on("data", split);
    process.stdin.on("end", onEnd);
    process.stdin.on("error", onEnd);
  });
}

/** Synchronous, since the process may exit right after; a parent that is gone is no error. */
function report(message: Report): void {
  try {
    writeSync(1, `${JSON.stringify(message)}\n`);
  } catch {
    // The parent notices the end of this process by the closed pipe.
  }
}

function reportFaults(): void {
  process.on("uncaughtException", (error) => {
    report({ kind: "failed", failure: explainStartFailure(new Error(`an internal error: ${messageOf(error)}`)) });
    process.kill(process.pid, "SIGTERM");
  });
}

/** Entry points that run in a separate process; see entry.ts. */
export async function runPiece(piece: string | undefined): Promise<void> {
  if (piece === "sweep") await sweepSandboxes();
  else await runSupervisor();
}
