import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { locks } from "../os/index.ts";
import { openRecordFile } from "./places.ts";

const retryMs = 5;
/** How long to wait for a lock that others hold only briefly. */
const lockTimeoutMs = 5000;

/** Held until it is released or its process ends: the kernel releases it. */
export interface Lock {
  /** Of the locked file, open for reading and writing. */
  readonly descriptor: number;
  release(): void;
}

/** Locks a file for this process alone; undefined if another process has it. */
export function tryLock(path: string): Lock | undefined {
  // Opened for appending, so that what another process has written is kept.
  const descriptor = openRecordFile(path);
  // If the file was replaced meanwhile, the new one is another lock, which another process may hold.
  let isHeld = locks.take(descriptor) && isSameFile(descriptor, path);
  if (!isHeld) closeSync(descriptor);
  if (!isHeld) return undefined;
  return {
    descriptor,
    release: () => {
      if (isHeld) closeSync(descriptor);
      isHeld = false;
    },
  };
}

/** Whether a path still leads to an open file. */
export function isSameFile(descriptor: number, path: string): boolean {
  const [own, there] = [fstatSync(descriptor), statSync(path, { throwIfNoEntry: false })];
  return own.ino === there?.ino && own.dev === there.dev;
}

/** Whether a running process holds the lock; false if the file does not exist. */
export function isLocked(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch {
    return false;
  }
  try {
    return !locks.take(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export async function waitForLock(path: string, timeoutMs: number): Promise<Lock | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== undefined || performance.now() > deadline) return lock;
    await pause(retryMs);
  }
}

/** Blocks the process while it waits: for work of less than a millisecond. */
export function lockBriefly(path: string): Lock | undefined {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== undefined || performance.now() > deadline) return lock;
    Bun.sleepSync(1);
  }
}

/** Runs work of less than a millisecond under a lock. Throws if the lock cannot be taken in time. */
export function whileLocked<T>(path: string, work: () => T): T {
  const lock = lockBriefly(path);
  if (lock === undefined) throw new Error("another process has locked it");
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** Creates a file that is locked, and complete, from the moment it is visible. */
export function createLocked(path: string, text: string): Lock {
  const lock = tryLock(`${path}.new`);
  if (lock === undefined) throw new Error(`${path}.new is locked`);
  writeSync(lock.descriptor, text);
  renameSync(`${path}.new`, path);
  return lock;
}
