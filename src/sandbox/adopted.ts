import { processes } from "../os/index.ts";

const REAP_DELAY_MS = 100;

const startedPids = new Set<number>();

/** Bun waits for the children that it started; waiting for them here too would take their exit codes away. */
export function noteStarted(pid: number | undefined): void {
  if (pid !== undefined) startedPids.add(pid);
}

/** Makes daemons and services that the session bus starts, whose parents end at once, children of this process. */
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
