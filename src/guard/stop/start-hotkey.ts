import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Env } from "../../model/env.ts";
import { programs } from "../../os/index.ts";

/** The hidden command of the executable, of the bundle and of the source. */
const command = "listen-for-stop";
const mainUrl = new URL("../../cli/main.ts", import.meta.url);
// Bun's name for the files inside a compiled executable; a process cannot be started from there.
const compiledPrefix = "/$bunfs/";

/** Starts the process that listens for the keys that stop everything. It outlives this one. */
export function startHotkey(env: Env): { hasEnded(): boolean } {
  const child = spawn(programs.own(), [...chooseEntry(), command], {
    cwd: "/",
    // A session of its own: what ends this process from a terminal does not end it.
    detached: true,
    env: { ...env },
    stdio: "ignore",
  });
  let hasFailed = false;
  child.once("error", () => {
    hasFailed = true;
  });
  child.unref();
  return { hasEnded: () => hasFailed || child.exitCode !== null || child.signalCode !== null };
}

function chooseEntry(): string[] {
  // Where this itself is: from the folder of all parts of an executable the way to the source leads out of it.
  if (new URL(import.meta.url).pathname.startsWith(compiledPrefix)) return [];
  const path = fileURLToPath(mainUrl);
  // A bundle knows where its source was, and starts in half the time.
  return Bun.main.endsWith(".ts") && existsSync(path) ? [path] : [Bun.main];
}
