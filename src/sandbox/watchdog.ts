import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { noteStarted } from "./adopted.ts";
import { chooseEntry } from "./entry.ts";

/**
 * A shell that waits for the supervisor's end and, unless it was ended before, clears away what a killed supervisor
 * leaves. It only waits on a pipe, so that it costs no time and less memory than a second supervisor.
 */
export function startWatchdog(registryDirectory: string): ChildProcess {
  const sweep = chooseEntry("sweep");
  const script = 'read -r _; exec "$@"';
  const watchdog = spawn("/bin/sh", ["-c", script, "deskmap-watchdog", sweep.command, ...sweep.args], {
    cwd: "/",
    detached: true,
    env: { ...process.env, DESKMAP_SANDBOX_DIR: registryDirectory },
    stdio: ["pipe", "ignore", "ignore"],
  });
  noteStarted(watchdog.pid);
  // Without a watchdog the next `sandbox list` clears away.
  watchdog.on("error", () => {});
  return watchdog;
}

export async function endWatchdog(watchdog: ChildProcess): Promise<void> {
  if (watchdog.pid === undefined || watchdog.exitCode !== null || watchdog.signalCode !== null) return;
  const ended = once(watchdog, "exit");
  watchdog.kill("SIGKILL");
  await ended;
}
