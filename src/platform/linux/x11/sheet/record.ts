import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Env } from "../../../../model/env.ts";
import { folders, processes, user } from "../../../../os/index.ts";

/** Which process draws over a display; only its user can write it down. */
export interface SheetRecord {
  readonly pid: number;
  /** When the process was started, in the kernel's ticks: another one that gets its number later is another one. */
  readonly started: number;
  /** When it began to draw, by the clock. */
  readonly sinceMs: number;
}

const maxRecordBytes = 4096;

/** Undefined where nothing is written down, or others could have written it. */
export function readRecord(env: Env): SheetRecord | undefined {
  const { folder, file } = findPlace(env);
  if (!isOwnFolder(folder)) return undefined;
  let handle: number;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(handle);
    if (!found.isFile() || !user.owns(found) || found.size > maxRecordBytes) return undefined;
    return parseRecord(readFileSync(handle, "utf8"));
  } finally {
    closeSync(handle);
  }
}

/** Writes down that this process draws; returns what takes it back. Undefined where there is no folder of the user's own. */
export function writeRecord(env: Env, sinceMs: number): (() => void) | undefined {
  const { folder, file } = findPlace(env);
  const started = processes.read(process.pid)?.startTicks;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwnFolder(folder) || started === undefined) return undefined;
    // A new file each time: what was there may be a link.
    rmSync(file, { force: true });
    const handle = openSync(file, "wx", 0o600);
    try {
      writeSync(handle, JSON.stringify({ pid: process.pid, started, sinceMs } satisfies SheetRecord));
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
  return () => {
    if (readRecord(env)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/** Whether the process that was written down is the one that bears this number now. */
export function isSameProcess({ pid, started }: SheetRecord, now: number): boolean {
  return processes.isAlive({ pid: now, startTicks: started }) && pid === now;
}

function parseRecord(text: string): SheetRecord | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof said !== "object" || said === null) return undefined;
  if (!("pid" in said) || !("started" in said) || !("sinceMs" in said)) return undefined;
  const { pid, started, sinceMs } = said;
  if (typeof pid !== "number" || typeof started !== "number" || typeof sinceMs !== "number") return undefined;
  return { pid, started, sinceMs };
}

/** Where the daemon's socket is too: the folder that the session gives its user, else one below the home folder. */
function findPlace(env: Env): { readonly folder: string; readonly file: string } {
  const runtime = folders.runtime(env);
  const folder = runtime === undefined ? join(folders.state(env), "deskmap", "run") : join(runtime, "deskmap");
  const display = (env.DISPLAY ?? "").replace(/\.\d+$/, "").replace(/[^\w]/g, "-");
  return { folder, file: join(folder, `sheet${display}.json`) };
}

function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && user.owns(found) && (found.mode & 0o077) === 0;
}
