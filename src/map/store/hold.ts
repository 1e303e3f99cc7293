import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { locks } from "../../os/index.ts";

/** So long whoever opens a map waits for a rescue, and a rescue for whoever has it open. */
const holdTimeoutMs = 5000;

/** A map that is held: by many who use it, or by one who puts another file in its place. */
export interface Hold {
  release(): void;
}

/** Another process holds the map in a way that cannot be shared. Nothing is wrong with the file. */
export class MapHeld extends Error {
  override readonly name = "MapHeld";
}

/**
 * Held by everybody who has a map open, so that nobody puts another file in its place meanwhile: what they write would go
 * into the old one. The lock is that of an empty file beside the map, which SQLite locks and the kernel frees, however its
 * holder ends.
 */
export function holdShared(path: string): Hold {
  try {
    return lock(path, "BEGIN; SELECT 1 FROM sqlite_schema");
  } catch (error) {
    if (isBusy(error)) throw new MapHeld("it is being rescued by another process just now");
    // Where no such file can be made, no other one can be put in the place of the map either.
    return { release: () => {} };
  }
}

/** Held by a rescue alone: nobody else has the map open, and whoever opens it waits. */
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
  // Only where it is not there: to close any descriptor of a file frees all locks that this process has on it.
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
