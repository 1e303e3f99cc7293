import { processes } from "../os/index.ts";

const REAP_DELAY_MS = 100;

const startedPids = new Set<number>();

/** Bun waits for its own children; reaping them here would lose their exit codes. */
export function recordStarted(pid: number | undefined): void {
  if (pid !== undefined) startedPids.add(pid);
}

/** Adopts daemons and services started by the session bus, whose parents exit at once. */
export function adoptOrphans(): void {
  processes.adoptOrphans();
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
  for (const { pid, state } of processes.listChildren(process.pid)) {
    if (state === "ended" && !startedPids.has(pid)) processes.reap(pid);
  }
}
