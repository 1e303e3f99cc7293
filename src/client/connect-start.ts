import { spawn } from "node:child_process";
import { findProgram, ownVariables } from "./connect-place.ts";

type Env = Readonly<Record<string, string | undefined>>;

const maxTold = 2000;

/** Starts the daemon of a desktop as a process that outlives this one. Two that are started at once become one. */
export function startDaemon(env: Env, options: readonly string[]): { hasEnded(): string | undefined } {
  const [program, ...args] = findProgram();
  const surroundings = Object.fromEntries(Object.entries(env).filter(([name]) => !ownVariables.includes(name)));
  const child = spawn(program, [...args, "serve", "--quiet", ...options], {
    cwd: "/",
    // A session of its own: what ends this process from a terminal does not end it.
    detached: true,
    env: surroundings,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  let end: string | undefined;
  child.stderr.on("data", (piece: Buffer) => {
    told = `${told}${piece.toString("utf8")}`.slice(-maxTold);
  });
  child.once("error", (error) => {
    end = error.message;
  });
  child.once("exit", (code) => {
    // Another was quicker: that one is there.
    if (code !== 0) end = told.trim() || `it ended with exit code ${code}`;
  });
  child.unref();
  if ("unref" in child.stderr && typeof child.stderr.unref === "function") child.stderr.unref();
  return { hasEnded: () => end };
}
