import { readFileSync } from "node:fs";

const pageBytes = 4096;
/** D-Bus specification: no array is longer than 64 MiB. */
const maxArrayBytes = 64 * 1024 * 1024;

/**
 * Whether a process is large enough to hold names and descriptions of more than fits into one array. Asked for all of them
 * at once (Cache.GetItems), such an application sends a message that is none, and the bus throws it out for good: no
 * assistive technology reads it any more until it is started again.
 */
export function mayOverflowCache(pid: number): boolean {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
    return (resident - shared) * pageBytes > maxArrayBytes;
  } catch {
    // Another user's, or gone: then it is read, or not, like the others.
    return false;
  }
}
