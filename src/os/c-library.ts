import { dlopen, type FFIFunction, ptr, toArrayBuffer } from "bun:ffi";
import { constants } from "node:os";

// The only file that calls the C library. Loading it takes 3 ms: load it where it is needed, with `require`.

// glibc, musl, macOS.
const libraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libSystem.B.dylib"];

function open<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  let reason: unknown;
  for (const name of libraries) {
    try {
      return dlopen(name, functions).symbols;
    } catch (error) {
      // Not this C library: try the next.
      reason = error;
    }
  }
  throw new Error(`the C library has no ${Object.keys(functions).join(", ")}`, { cause: reason });
}

/** Binds functions at the first call: each costs a compilation. */
function bind<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  let bound: ReturnType<typeof open<Functions>> | undefined;
  return () => {
    bound ??= open(functions);
    return bound;
  };
}

export const locking = bind({ flock: { args: ["i32", "i32"], returns: "i32" } });

export const sockets = bind({ getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" } });

export const names = bind({
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
});

export const terminals = bind({
  tcgetpgrp: { args: ["i32"], returns: "i32" },
  getpgrp: { args: [], returns: "i32" },
  tcgetattr: { args: ["i32", "ptr"], returns: "i32" },
  tcsetattr: { args: ["i32", "i32", "ptr"], returns: "i32" },
  poll: { args: ["ptr", "u64", "i32"], returns: "i32" },
});

export const children = bind({
  prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
});

const timers = bind({
  timer_create: { args: ["i32", "ptr", "ptr"], returns: "i32" },
  timer_settime: { args: ["u64", "i32", "ptr", "ptr"], returns: "i32" },
  timer_delete: { args: ["u64"], returns: "i32" },
});
// <time.h>, <signal.h>
const monotonicClock = 1;
const sigeventBytes = 64;
const signalAt = 2;

/** A timer of the kernel sends SIGCONT, which wakes a suspended process and does nothing to a running one. */
export function limitSuspension(ms: number): () => void {
  const event = new Int32Array(sigeventBytes / Int32Array.BYTES_PER_ELEMENT);
  event[signalAt] = constants.signals.SIGCONT;
  const id = new BigUint64Array(1);
  if (timers().timer_create(monotonicClock, ptr(event), ptr(id)) !== 0) return () => {};
  // The interval and the first time, each in seconds and nanoseconds.
  const time = [BigInt(Math.floor(ms / 1000)), BigInt((ms % 1000) * 1e6)];
  timers().timer_settime(id[0] ?? 0n, 0, ptr(new BigInt64Array([...time, ...time])), null);
  return () => void timers().timer_delete(id[0] ?? 0n);
}

export const segments = bind({
  shmget: { args: ["i32", "u64", "i32"], returns: "i32" },
  shmat: { args: ["i32", "ptr", "i32"], returns: "ptr" },
  shmdt: { args: ["ptr"], returns: "i32" },
  shmctl: { args: ["i32", "i32", "ptr"], returns: "i32" },
});

export { ptr, toArrayBuffer };
