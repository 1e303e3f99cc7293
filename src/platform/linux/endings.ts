import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import type { Env } from "../../model/env.ts";
import type { Opener } from "../../model/opener.ts";
import type { ProgramEnd } from "../../model/program-end.ts";
import { folders, processes } from "../../os/index.ts";
import { readProgramNames } from "./program-names.ts";
import { readText } from "./read-file.ts";

const maxRead = 8192;
/** How long a program's end is of interest. */
const watchedMs = 60_000;

const endings = new Map<number, ProgramEnd>();

export function findEnd(pid: number): ProgramEnd | undefined {
  return endings.get(pid);
}

/** What is opened leads a session of its own, in which its children stay when it ends. */
export function belongsTo(pid: number, opened: number): boolean {
  return pid !== 0 && readSession(pid) === opened;
}

/**
 * A file without a name for the standard error of a program; undefined if none can be made. A pipe would block or kill the
 * program once nobody reads it; the file lasts for as long as the program has it open, and takes whatever it writes.
 */
export function openComplaints(): number | undefined {
  const path = join(folders.temporary(), `deskmap-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    const file = openSync(path, "ax+", 0o600);
    unlinkSync(path);
    return file;
  } catch {
    return undefined;
  }
}

/** Remembers how a program ends, and closes its file then or after a while. */
export function followEnd(
  { pid, ended }: { readonly pid: number; readonly ended: Promise<string> },
  { names, command }: Opener,
  { DISPLAY: display }: Env,
  complaints: number | undefined,
): void {
  const own = new Set([...names, basename(command[0] ?? "").toLowerCase()]);
  endings.delete(pid);
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    if (complaints === undefined) return;
    // What was written so far is of no use any more.
    ftruncateSync(complaints, 0);
    closeSync(complaints);
  };
  let isOpen = true;
  const forget = setTimeout(() => {
    endings.delete(pid);
    close();
  }, watchedMs);
  forget.unref();
  void ended.then((how) => {
    if (!isOpen) return;
    const isSuccess = how === "exit code 0";
    const isHandedOver = isSuccess && hasSuccessor(pid, own, display);
    endings.set(pid, { how, isSuccess, isHandedOver, lastLine: readLastLine(complaints) });
    close();
  });
}

/**
 * Whether a process runs on this display that may go on with a program's work: one of its session, which it leads, or one
 * of its name, which ran before or was started by the message bus.
 */
function hasSuccessor(leader: number, names: ReadonlySet<string>, display: string | undefined): boolean {
  return processes.list().some(({ pid }) => {
    if (pid === leader || !processes.isRunning(pid)) return false;
    if (belongsTo(pid, leader)) return true;
    const isNamed = readProgramNames(pid).some((name) => [...names].some((own) => name.toLowerCase().startsWith(own)));
    return isNamed && processes.readVariables(pid)?.includes(`DISPLAY=${display}`) !== false;
  });
}

/** The sixth field, of which the second may contain spaces and parentheses (proc_pid_stat(5)). */
function readSession(pid: number): number {
  return Number(readText(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ")[3]);
}

function readLastLine(file: number | undefined): string {
  if (file === undefined) return "";
  const bytes = Buffer.alloc(maxRead);
  const from = Math.max(0, fstatSync(file).size - maxRead);
  const text = bytes.toString("utf8", 0, readSync(file, bytes, 0, maxRead, from));
  return text.trim().split("\n").at(-1)?.trim() ?? "";
}
