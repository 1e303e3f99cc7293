import { spawn } from "node:child_process";
import type { Env } from "../model/env.ts";
import { programs } from "../os/index.ts";
import { listDaemonVariables } from "./connect-place.ts";

const maxTold = 2000;

export interface Started {
  /** Why it has failed; undefined if it has not. */
  hasEnded(): string | undefined;
  /** Whether it ended because another daemon runs or ran. */
  hasYielded(): boolean;
}

/** Starts a daemon that outlives this process. Of two started at once, one gives way. */
export function startDaemon(env: Env, options: readonly string[]): Started {
  const [program, ...args] = programs.commandOfSelf("serve", "--quiet", ...options);
  const child = spawn(program, args, {
    cwd: "/",
    // A session of its own, so that a signal from the terminal does not end it.
    detached: true,
    env: listDaemonVariables(env),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  let end: string | undefined;
  let hasYielded = false;
  child.stderr.on("data", (piece: Buffer) => {
    told = `${told}${piece.toString("utf8")}`.slice(-maxTold);
  });
  child.once("error", (error) => {
    end = error.message;
  });
  child.once("exit", (code) => {
    if (code === 0) hasYielded = true;
    else end = told.trim() || `it ended with exit code ${code}`;
  });
  child.unref();
  if ("unref" in child.stderr && typeof child.stderr.unref === "function") child.stderr.unref();
  return { hasEnded: () => end, hasYielded: () => hasYielded };
}
