import { renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { type ProcessKey, processes } from "../../os/index.ts";
import { FileRecords } from "../audit/file-records.ts";
import { makeStateFolder, type Places } from "../places.ts";
import type { Stop } from "../records.ts";
import { findHolder, type HeldTurn } from "../turn.ts";

/** How long a process has to say to its client that it was stopped, before it is ended. */
const graceMs = 400;
/** A killed process is gone at once, and its keys are let go of in less than 100 ms; a hanging display may take longer. */
const patienceMs = 8000;
const lookAgainMs = 2;
/** How the process that releases keys and buttons after another's end calls itself. */
const watchdogName = "deskmap-input-watchdog";

/** What a stop found. */
export interface Stopped {
  /** Who was in the middle of something. */
  readonly interrupted: readonly HeldTurn[];
  /** Whether nobody holds the desktop any more, and nothing of theirs is held down. */
  readonly isReleased: boolean;
  /** The stop that was in force already. */
  readonly earlier: Stop | undefined;
}

/** Stops everything on the desktop of these books: first what is to come, then what is under way. */
export async function stopHere(places: Places, by: string): Promise<Result<Stopped>> {
  const records = new FileRecords(places);
  let earlier: Stop | undefined;
  try {
    makeStateFolder(places);
    earlier = records.findStop();
    if (earlier === undefined) leaveNote(places.stopped, { atMs: Date.now(), by });
  } catch (error) {
    return fail(describeUnstopped(places, error));
  }
  const { interrupted, isReleased } = await endTurns(places);
  const words = interrupted.map(({ client, tool }) => `${client}: ${tool}`).join(", ");
  const written = records.write({ what: "stop", client: by, words: words === "" ? undefined : `in ${words}` });
  return written.ok ? succeed({ interrupted, isReleased, earlier }) : written;
}

/** Lets everything go on; undefined where nothing was stopped. */
export function resumeHere(places: Places, by: string): Result<Stop | undefined> {
  const records = new FileRecords(places);
  const stop = records.findStop();
  if (stop === undefined) return succeed(undefined);
  // It is written down first: what cannot be written down is not done.
  const written = records.write({ what: "resume", client: by });
  if (!written.ok) return written;
  rmSync(places.stopped, { force: true });
  return succeed(stop);
}

/** Whole or not at all; that it is there is the sign, so that on a full disk an empty one will do. */
function leaveNote(path: string, stop: Stop): void {
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
      // Before it is signalled: they are its children only as long as it lives.
      for (const watchdog of listWatchdogs(holder)) watchdogs.set(watchdog.pid, watchdog);
      const before = asked.get(holder.pid);
      if (before === undefined) asked.set(holder.pid, { held: holder, untilMs: performance.now() + graceMs });
      if (before === undefined) processes.signal(holder, "SIGTERM");
      else if (performance.now() > before.untilMs) processes.signal(holder, "SIGKILL");
    }
    if (!isFree) await pause(lookAgainMs);
  }
  const isBusy = (): boolean => [...watchdogs.values()].some((watchdog) => processes.isAlive(watchdog));
  while (isBusy() && performance.now() < deadline) await pause(lookAgainMs);
  return { interrupted: [...asked.values()].map(({ held }) => held), isReleased: isFree && !isBusy() };
}

/** The processes that release a process's keys and buttons when it ends; they outlive it until that is done. */
function listWatchdogs({ pid }: ProcessKey): readonly ProcessKey[] {
  return processes
    .listChildren(pid)
    .filter((row) => processes.readArguments(row.pid).some((word) => word.includes(watchdogName)));
}

function describeUnstopped(places: Places, error: unknown): Failure {
  return {
    code: "FAILED",
    message: `the stop cannot be noted in ${places.state}: ${error instanceof Error ? error.message : String(error)}`,
    suggestion: "make that directory yours and writable, and try again.",
    done: nothingDone,
  };
}
