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

/** The process that draws over a display; only its user can write this record. */
export interface SurfaceRecord {
  readonly pid: number;
  /** Start time in kernel ticks, since pids are reused. */
  readonly started: number;
  /** When it began to draw, wall-clock time. */
  readonly sinceMs: number;
}

const maxRecordBytes = 4096;

/** Undefined if there is no record, or others could have written it. */
export function readRecord(env: Env): SurfaceRecord | undefined {
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

/** Records that this process draws; returns a function that removes the record. Undefined without a private folder. */
export function writeRecord(env: Env, sinceMs: number): (() => void) | undefined {
  const { folder, file } = findPlace(env);
  const started = processes.read(process.pid)?.startTicks;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwnFolder(folder) || started === undefined) return undefined;
    // A new file each time: the old one may be a link.
    rmSync(file, { force: true });
    const handle = openSync(file, "wx", 0o600);
    try {
      writeSync(handle, JSON.stringify({ pid: process.pid, started, sinceMs } satisfies SurfaceRecord));
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

export function isSameProcess({ pid, started }: SurfaceRecord, now: number): boolean {
  return processes.isAlive({ pid: now, startTicks: started }) && pid === now;
}

function parseRecord(text: string): SurfaceRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (!("pid" in value) || !("started" in value) || !("sinceMs" in value)) return undefined;
  const { pid, started, sinceMs } = value;
  if (typeof pid !== "number" || typeof started !== "number" || typeof sinceMs !== "number") return undefined;
  return { pid, started, sinceMs };
}

/** Beside the daemon's socket: in the session's runtime folder, else below the home folder. */
function findPlace(env: Env): { readonly folder: string; readonly file: string } {
  const runtime = folders.runtime(env);
  const folder = runtime === undefined ? join(folders.state(env), "deskmap", "run") : join(runtime, "deskmap");
  const display = (env.DISPLAY ?? "").replace(/\.\d+$/, "").replace(/[^\w]/g, "-");
  return { folder, file: join(folder, `surface${display}.json`) };
}

function isOwnFolder(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && user.owns(found) && (found.mode & 0o077) === 0;
}
