import { spawn } from "node:child_process";
import type { Env } from "../model/env.ts";
import { findProgram, listDaemonVariables } from "./connect-place.ts";

const maxTold = 2000;

export interface Started {
  /** Why it has ended, where it should not have. */
  hasEnded(): string | undefined;
  /** Whether it has ended because another one is there, or was. */
  hasYielded(): boolean;
}

/** Starts the daemon of a desktop as a process that outlives this one. Two that are started at once become one. */
export function startDaemon(env: Env, options: readonly string[]): Started {
  const [program, ...args] = findProgram();
  const child = spawn(program, [...args, "serve", "--quiet", ...options], {
    cwd: "/",
    // A session of its own: what ends this process from a terminal does not end it.
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
