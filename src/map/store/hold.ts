import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { locks } from "../../os/index.ts";

/** How long opening a map waits for a rescue, and a rescue for open maps. */
const holdTimeoutMs = 5000;

/** A lock on a map: shared by its users, exclusive while its file is replaced. */
export interface Hold {
  release(): void;
}

/** Another process holds an incompatible lock. The file is intact. */
export class MapHeld extends Error {
  override readonly name = "MapHeld";
}

/**
 * Held by every process that has the map open, so that its file is not replaced meanwhile: their writes would go to the
 * old file. SQLite locks an empty file beside the map, and the kernel releases the lock however the process ends.
 */
export function holdShared(path: string): Hold {
  try {
    return lock(path, "BEGIN; SELECT 1 FROM sqlite_schema");
  } catch (error) {
    if (isBusy(error)) throw new MapHeld("another process is rescuing it");
    // In a directory where the lock file cannot be created, the map cannot be replaced either.
    return { release: () => {} };
  }
}

/** Held by a rescue: no other process has the map open, and opening it waits. */
export function holdAlone(path: string): Hold {
  try {
    return lock(path, "BEGIN EXCLUSIVE");
  } catch (error) {
    if (!isBusy(error)) throw error;
    const holders = locks.listHolders(lockPath(path));
    throw new MapHeld(`${nameProcesses(holders)} it open`);
  }
}

function lockPath(path: string): string {
  return `${path}.lock`;
}

function lock(path: string, statement: string): Hold {
  const beside = lockPath(path);
  // Only if it does not exist: closing any descriptor of a file releases all POSIX locks this process has on it.
  if (!existsSync(beside)) closeSync(openSync(beside, "a", 0o600));
  const database = new DatabaseSync(beside, { timeout: holdTimeoutMs });
  try {
    database.exec(statement);
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

const busy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === busy;
}

function nameProcesses(holders: readonly number[]): string {
  if (holders.length === 0) return "another process has";
  return holders.length === 1 ? `process ${holders[0]} has` : `processes ${holders.join(", ")} have`;
}
