import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Env } from "../../../model/env.ts";
import { programs } from "../../../os/index.ts";
import type { Undo } from "./undo.ts";

/**
 * Keeps what must be undone, line by line; at the end of input without a last word it hands the last line to a process
 * that undoes it. A shell is there in 2 ms and waits for nothing; Deskmap itself would take 40 ms and as many megabytes.
 * Nobody may be there any more to hear what it says: that must not end it.
 */
const script = `trap '' PIPE
while IFS= read -r line; do
  [ "$line" = done ] && exit 0
  undo=$line
  echo kept
done
exec "$@" "$undo" >/dev/null`;

/** Without it nothing is changed that would have to be undone. */
export class WatchdogLost extends Error {
  override readonly name = "WatchdogLost";
}

/** A process that outlives this one, however it ends: what is held is let go of, what was changed is restored. */
export class InputWatchdog {
  private heard: PromiseWithResolvers<void> | undefined;

  private constructor(private readonly shell: ChildProcess) {
    shell.stdin?.on("error", () => undefined);
    shell.stdout?.on("data", () => this.heard?.resolve());
    shell.once("error", (error) => this.heard?.reject(new WatchdogLost(error.message)));
    shell.once("exit", () => this.heard?.reject(new WatchdogLost("it has ended")));
  }

  static start(env: Env): InputWatchdog {
    const { command, args } = chooseEntry();
    // Where an update has taken the program away, its file is kept open: this process may be gone when it is needed.
    const kept = command === programs.running ? openSync(programs.running, "r") : undefined;
    const program = kept === undefined ? command : "/proc/self/fd/3";
    const shell = spawn("/bin/sh", ["-c", script, "deskmap-input-watchdog", program, ...args], {
      cwd: "/",
      // A session of its own: what ends this process from a terminal does not end it.
      detached: true,
      env: { ...env },
      stdio: ["pipe", "pipe", "ignore", ...(kept === undefined ? [] : [kept])],
    });
    if (kept !== undefined) closeSync(kept);
    return new InputWatchdog(shell);
  }

  /** Returns when it is known there: only then may the display be changed. */
  async keep(undo: Undo): Promise<void> {
    if (this.hasEnded) throw new WatchdogLost("it has ended");
    this.heard = Promise.withResolvers();
    this.shell.stdin?.write(`${JSON.stringify(undo)}\n`);
    await this.heard.promise;
    this.heard = undefined;
  }

  /** Everything is as it was: it has nothing to do any more. */
  async dismiss(): Promise<void> {
    if (this.hasEnded) return;
    const ended = once(this.shell, "exit");
    this.shell.stdin?.end("done\n");
    await ended;
  }

  /** What could not be undone from here is undone there. */
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

const mainUrl = new URL("./release-main.ts", import.meta.url);
/** The hidden command of the executable and of the bundle. */
const releaseCommand = "release-input";
// Bun's name for the files inside a compiled executable; a process cannot be started from there.
const compiledPrefix = "/$bunfs/";

function chooseEntry(): { command: string; args: string[] } {
  const command = programs.own();
  if (mainUrl.pathname.startsWith(compiledPrefix)) return { command, args: [releaseCommand] };
  const path = fileURLToPath(mainUrl);
  return existsSync(path) ? { command, args: [path] } : { command, args: [Bun.main, releaseCommand] };
}
