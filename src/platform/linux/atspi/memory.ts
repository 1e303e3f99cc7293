import { readFileSync } from "node:fs";

const pageBytes = 4096;
/** D-Bus specification: arrays are limited to 64 MiB. */
const maxArrayBytes = 64 * 1024 * 1024;

/**
 * Whether a process is large enough to exceed that limit with its names and descriptions. Its reply to Cache.GetItems
 * would then be invalid and the bus would disconnect it: no assistive technology could read it until it is restarted.
 */
export function mayOverflowCache(pid: number): boolean {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
    return (resident - shared) * pageBytes > maxArrayBytes;
  } catch {
    // Another user's process, or gone: treated like all others.
    return false;
  }
}
