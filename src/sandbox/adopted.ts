import { dlopen } from "bun:ffi";
import { readProcessTable } from "./process-table.ts";

const REAP_DELAY_MS = 100;

// Names of the C library: glibc, then musl.
const C_LIBRARIES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];
const PR_SET_CHILD_SUBREAPER = 36; // <linux/prctl.h>
const WNOHANG = 1; // <linux/wait.h>

const libc = openLibc();
const startedPids = new Set<number>();

/** Bun waits for the children that it started; waiting for them here too would take their exit codes away. */
export function noteStarted(pid: number | undefined): void {
  if (pid !== undefined) startedPids.add(pid);
}

/** Makes daemons and services that the session bus starts, whose parents end at once, children of this process. */
export function adoptOrphans(): void {
  becomeSubreaper();
  let isDue = false;
  process.on("SIGCHLD", () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      reapAdopted();
    }, REAP_DELAY_MS);
  });
}

export function reapAdopted(): void {
  for (const row of readProcessTable()) {
    if (row.parentPid === process.pid && row.isZombie && !startedPids.has(row.pid)) reapChild(row.pid);
  }
}

/** Makes orphans below this process its own children, so that they can be found. False where that is not possible. */
function becomeSubreaper(): boolean {
  return libc !== null && libc.symbols.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0;
}

/** Buries an adopted child that has ended; Bun does it only for those that it started. */
function reapChild(pid: number): void {
  libc?.symbols.waitpid(pid, null, WNOHANG);
}

function openLibc() {
  for (const library of C_LIBRARIES) {
    try {
      return dlopen(library, {
        prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
        waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
      });
    } catch {
      // Not this C library: try the next.
    }
  }
  return null;
}
