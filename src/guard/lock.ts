import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { locks } from "../os/index.ts";
import { openBook } from "./places.ts";

const lookAgainMs = 5;

/** Held until it is released, or until its process ends in whatever way: the kernel sees to that. */
export interface Lock {
  /** Of the locked file, open for reading and writing. */
  readonly descriptor: number;
  release(): void;
}

/** Takes a file for this process alone; undefined when another has it. */
export function tryLock(path: string): Lock | undefined {
  // Appending never cuts what another process has written there.
  const descriptor = openBook(path);
  // A file that was put in its place meanwhile is another lock, which somebody else may hold.
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

function isSameFile(descriptor: number, path: string): boolean {
  const [own, there] = [fstatSync(descriptor), statSync(path, { throwIfNoEntry: false })];
  return own.ino === there?.ino && own.dev === there.dev;
}

/** Whether a process that lives holds a file; one that is not there is held by nobody. */
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

/** As tryLock, for at most so long. */
export async function waitForLock(path: string, timeoutMs: number): Promise<Lock | undefined> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== undefined || performance.now() > deadline) return lock;
    await pause(lookAgainMs);
  }
}

/** For work of less than a millisecond: waits without giving way. */
export function lockBriefly(path: string, timeoutMs: number): Lock | undefined {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(path);
    if (lock !== undefined || performance.now() > deadline) return lock;
    Bun.sleepSync(1);
  }
}
