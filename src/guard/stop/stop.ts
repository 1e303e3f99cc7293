import { renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { messageOf } from "../../model/caught.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { type ProcessKey, processes } from "../../os/index.ts";
import { FileRecords } from "../audit/file-records.ts";
import { makeStateFolder, type Places } from "../places.ts";
import type { Stop } from "../records.ts";
import { findHolder, type HeldTurn } from "../turn.ts";

/** Time for a process to report the stop to its client before it is killed. */
const graceMs = 400;
/** Keys are released within 100 ms after a process is killed; a hanging display may take longer. */
const patienceMs = 8000;
const pollMs = 2;
/** In the arguments of the process that releases keys and buttons after another's end. */
const watchdogName = "deskmap-input-watchdog";

export interface Stopped {
  readonly interrupted: readonly HeldTurn[];
  /** Whether nobody has the turn any more, and no keys or buttons are held down. */
  readonly isReleased: boolean;
  readonly earlier: Stop | undefined;
}

/** Stops everything: first forbids new actions, then ends those under way. */
export async function stopHere(places: Places, by: string): Promise<Result<Stopped>> {
  const records = new FileRecords(places);
  let earlier: Stop | undefined;
  try {
    makeStateFolder(places);
    earlier = records.findStop();
    if (earlier === undefined) writeStop(places.stopped, { atMs: Date.now(), by });
  } catch (error) {
    return fail(describeUnstopped(places, error));
  }
  const { interrupted, isReleased } = await endTurns(places);
  const words = interrupted.map(({ client, tool }) => `${client}: ${tool}`).join(", ");
  const written = records.write({ what: "stop", client: by, words: words === "" ? undefined : `in ${words}` });
  return written.ok ? succeed({ interrupted, isReleased, earlier }) : written;
}

export function resumeHere(places: Places, by: string): Result<Stop | undefined> {
  const records = new FileRecords(places);
  const stop = records.findStop();
  if (stop === undefined) return succeed(undefined);
  // Logged first: what cannot be logged is not done.
  const written = records.write({ what: "resume", client: by });
  if (!written.ok) return written;
  rmSync(places.stopped, { force: true });
  return succeed(stop);
}

/** Written atomically. The file's existence is the stop, so on a full disk an empty one is enough. */
function writeStop(path: string, stop: Stop): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(stop), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
    writeFileSync(path, "", { mode: 0o600 });
  }
}

async function endTurns(places: Places): Promise<{ interrupted: readonly HeldTurn[]; isReleased: boolean }> {
  const deadline = performance.now() + patienceMs;
  const asked = new Map<number, { readonly held: HeldTurn; readonly untilMs: number }>();
  const watchdogs = new Map<number, ProcessKey>();
  let isFree = false;
  while (!isFree && performance.now() < deadline) {
    const holder = findHolder(places);
    isFree = holder === "free";
    if (holder !== "free" && holder !== undefined && holder.pid !== process.pid) {
      // Before it is signalled: they are its children only while it lives.
      for (const watchdog of listWatchdogs(holder)) watchdogs.set(watchdog.pid, watchdog);
      const before = asked.get(holder.pid);
      if (before === undefined) asked.set(holder.pid, { held: holder, untilMs: performance.now() + graceMs });
      if (before === undefined) processes.signal(holder, "SIGTERM");
      else if (performance.now() > before.untilMs) processes.signal(holder, "SIGKILL");
    }
    if (!isFree) await pause(pollMs);
  }
  const isBusy = (): boolean => [...watchdogs.values()].some((watchdog) => processes.isAlive(watchdog));
  while (isBusy() && performance.now() < deadline) await pause(pollMs);
  return { interrupted: [...asked.values()].map(({ held }) => held), isReleased: isFree && !isBusy() };
}

/** The processes that release a process's keys and buttons after its end. */
function listWatchdogs({ pid }: ProcessKey): readonly ProcessKey[] {
  return processes
    .listChildren(pid)
    .filter((row) => processes.readArguments(row.pid).some((word) => word.includes(watchdogName)));
}

function describeUnstopped(places: Places, error: unknown): Failure {
  const message = `the stop cannot be written to ${places.state}: ${messageOf(error)}`;
  return makeFailure("FAILED", message, "make that directory yours and writable, and try again.");
}
