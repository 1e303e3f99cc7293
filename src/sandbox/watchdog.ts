import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { programs } from "../os/index.ts";
import { recordStarted } from "./adopted.ts";

/** Cleans up after a killed supervisor. A shell that waits on a pipe: no CPU time, little memory. */
export function startWatchdog(registryDirectory: string): ChildProcess {
  const script = 'read -r _; exec "$@"';
  const watchdog = spawn("/bin/sh", ["-c", script, "deskmap-watchdog", ...chooseEntry("sweep")], {
    cwd: "/",
    detached: true,
    env: { ...process.env, DESKMAP_SANDBOX_DIR: registryDirectory },
    stdio: ["pipe", "ignore", "ignore"],
  });
  recordStarted(watchdog.pid);
  // Without a watchdog the next `sandbox list` cleans up.
  watchdog.on("error", () => {});
  return watchdog;
}

export async function endWatchdog(watchdog: ChildProcess): Promise<void> {
  if (watchdog.pid === undefined || watchdog.exitCode !== null || watchdog.signalCode !== null) return;
  const ended = once(watchdog, "exit");
  watchdog.kill("SIGKILL");
  await ended;
}

const ENTRY_URL = new URL("./supervisor-main.ts", import.meta.url);

/** The command that runs part of this library in a separate process: from source, a bundle or the executable. */
export function chooseEntry(piece: "supervise" | "sweep"): [string, ...string[]] {
  return programs.commandFor(ENTRY_URL, [piece], ["sandbox", piece]);
}
