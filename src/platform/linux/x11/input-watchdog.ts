import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import type { Env } from "../../../model/env.ts";
import { programs } from "../../../os/index.ts";
import type { Undo } from "./undo.ts";

/**
 * Keeps the undo data, one line each; if its input ends without "done", it passes the last line to a process that
 * undoes it. A shell starts in 2 ms; Deskmap itself would take 40 ms and as many megabytes. Nobody may be reading its
 * output: SIGPIPE must not end it.
 */
const script = `trap '' PIPE
while IFS= read -r line; do
  [ "$line" = done ] && exit 0
  undo=$line
  echo kept
done
exec "$@" "$undo" >/dev/null`;

const mainUrl = new URL("./release-main.ts", import.meta.url);
/** The hidden command of the executable and of the bundle. */
const releaseCommand = "release-input";

/** Without a watchdog nothing is changed that would need undoing. */
export class WatchdogLost extends Error {
  override readonly name = "WatchdogLost";
}

/** A process that outlives this one: it releases what is held and restores what was changed. */
export class InputWatchdog {
  private acknowledged: PromiseWithResolvers<void> | undefined;

  private constructor(private readonly shell: ChildProcess) {
    shell.stdin?.on("error", () => undefined);
    shell.stdout?.on("data", () => this.acknowledged?.resolve());
    shell.once("error", (error) => this.acknowledged?.reject(new WatchdogLost(error.message)));
    shell.once("exit", () => this.acknowledged?.reject(new WatchdogLost("it has ended")));
  }

  static start(env: Env): InputWatchdog {
    const [command, ...args] = programs.commandFor(mainUrl, [], [releaseCommand]);
    // If an update has removed the program, its file is kept open: this process may be gone when it is needed.
    const kept = command === programs.running ? openSync(programs.running, "r") : undefined;
    const program = kept === undefined ? command : "/proc/self/fd/3";
    const shell = spawn("/bin/sh", ["-c", script, "deskmap-input-watchdog", program, ...args], {
      cwd: "/",
      // A separate session: signals from the terminal do not reach it.
      detached: true,
      env: { ...env },
      stdio: ["pipe", "pipe", "ignore", ...(kept === undefined ? [] : [kept])],
    });
    if (kept !== undefined) closeSync(kept);
    return new InputWatchdog(shell);
  }

  /** Resolves when the watchdog knows it: only then may the display be changed. */
  async keep(undo: Undo): Promise<void> {
    if (this.hasEnded) throw new WatchdogLost("it has ended");
    this.acknowledged = Promise.withResolvers();
    this.shell.stdin?.write(`${JSON.stringify(undo)}\n`);
    await this.acknowledged.promise;
    this.acknowledged = undefined;
  }

  /** Everything is restored: the watchdog may exit. */
  async dismiss(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.shell, "exit");
    this.shell.stdin?.end("done\n");
    await ended;
  }

  /** Lets the watchdog undo what could not be undone here. */
  async handOver(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.shell, "exit");
    this.shell.stdin?.end();
    await ended;
  }

  private get hasEnded(): boolean {
    return this.shell.pid === undefined || this.shell.exitCode !== null || this.shell.signalCode !== null;
  }
}
