import { dlopen, type FFIFunction, ptr, toArrayBuffer } from "bun:ffi";

// The only file that calls the C library. Loading it takes 3 ms: load it where it is needed, with `require`.

// glibc, musl, macOS.
const names = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1", "libSystem.B.dylib"];

function open<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  let reason: unknown;
  for (const name of names) {
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

export const segments = bind({
  shmget: { args: ["i32", "u64", "i32"], returns: "i32" },
  shmat: { args: ["i32", "ptr", "i32"], returns: "ptr" },
  shmdt: { args: ["ptr"], returns: "i32" },
  shmctl: { args: ["i32", "i32", "ptr"], returns: "i32" },
});

export { ptr, toArrayBuffer };
