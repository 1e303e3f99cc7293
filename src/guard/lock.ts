import { dlopen } from "bun:ffi";
import { closeSync, openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openBook } from "./places.ts";

// Names of the C library: glibc, musl, macOS.
export const cLibraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libSystem.B.dylib"];
// <sys/file.h>
const exclusive = 2;
const atOnce = 4;

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
  let isHeld = flock(descriptor, exclusive | atOnce) === 0;
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

/** Whether a process that lives holds a file; one that is not there is held by nobody. */
export function isLocked(path: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch {
    return false;
  }
  try {
    return flock(descriptor, exclusive | atOnce) !== 0;
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

let library: { readonly flock: (descriptor: number, operation: number) => number } | undefined;

function flock(descriptor: number, operation: number): number {
  library ??= openLibrary();
  return library.flock(descriptor, operation);
}

function openLibrary(): { readonly flock: (descriptor: number, operation: number) => number } {
  for (const name of cLibraries) {
    try {
      return dlopen(name, { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols;
    } catch {
      // Not this C library: try the next.
    }
  }
  throw new Error("the C library has no flock");
}
