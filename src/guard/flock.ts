import { dlopen } from "bun:ffi";

// Names of the C library: glibc, musl, macOS.
export const cLibraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libSystem.B.dylib"];

/** flock(2): 0 when the lock was taken. */
export type Flock = (descriptor: number, operation: number) => number;

export function openFlock(): Flock {
  for (const name of cLibraries) {
    try {
      return dlopen(name, { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols.flock;
    } catch {
      // Not this C library: try the next.
    }
  }
  throw new Error("the C library has no flock");
}
