import { dlopen, FFIType, type Pointer, toArrayBuffer } from "bun:ffi";

/** Memory that the X server can write into; the only file that calls the C library (docs/decisions.md). */
export interface SharedMemory {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** Afterwards `bytes` must not be touched any more. */
  close(): void;
}

// <sys/ipc.h> of Linux.
const privateKey = 0;
const ownerOnly = 0o600;
const create = 0o1000;
const remove = 0;

type LibC = ReturnType<typeof openLibC>;
let libC: LibC | undefined;

function openLibC() {
  return dlopen("libc.so.6", {
    shmget: { args: [FFIType.i32, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    shmat: { args: [FFIType.i32, FFIType.ptr, FFIType.i32], returns: FFIType.i64 },
    shmdt: { args: [FFIType.ptr], returns: FFIType.i32 },
    shmctl: { args: [FFIType.i32, FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  }).symbols;
}

/** A new segment, or undefined where the system gives none. */
export function shareMemory(size: number): SharedMemory | undefined {
  try {
    libC ??= openLibC();
  } catch {
    // Another C library than the GNU one.
    return undefined;
  }
  const { shmget, shmat, shmdt, shmctl } = libC;
  const id = shmget(privateKey, size, create | ownerOnly);
  if (id < 0) return undefined;
  const address = Number(shmat(id, null, 0));
  // Linux keeps a removed segment until the last has let go of it, and lets others take hold of it meanwhile: however
  // this process ends, nothing is left.
  shmctl(id, remove, null);
  if (address === -1) return undefined;
  const place = address as Pointer;
  let isOpen = true;
  return {
    id,
    bytes: new Uint8Array(toArrayBuffer(place, 0, size)),
    close() {
      if (isOpen) shmdt(place);
      isOpen = false;
    },
  };
}
