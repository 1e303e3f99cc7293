import { spawn } from "node:child_process";
import type { Env } from "../../model/env.ts";

export interface StartPlan {
  readonly command: readonly string[];
  readonly env: Env;
  readonly cwd?: string | undefined;
  /** Written to its standard input, which is otherwise empty. */
  readonly input?: string | undefined;
  /** The descriptor of its standard error, which is otherwise discarded. */
  readonly error?: number | undefined;
}

export interface StartedProcess {
  readonly pid: number;
  /** Resolves when it ends; need not be awaited. */
  readonly ended: Promise<string>;
}

/** Starts a program in its own session that outlives this process and shares no files with it. Throws on failure. */
export function startDetached({ command, env, cwd, input, error }: StartPlan): Promise<StartedProcess> {
  const [program = "", ...args] = command;
  // The daemon's PGPASSWORD is not the client's.
  const isServed = env.DESKMAP_CWD !== undefined;
  const child = spawn(program, args, {
    cwd: cwd ?? env.DESKMAP_CWD ?? process.cwd(),
    // A shared map's address contains a password, and the client's folder is private to it.
    env: { ...env, DESKMAP_MAP: undefined, DESKMAP_CWD: undefined, ...(isServed && { PGPASSWORD: undefined }) },
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "ignore", error ?? "ignore"],
  });
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      const finish = (): void => {
        child.unref();
        resolve({ pid: child.pid ?? 0, ended });
      };
      if (child.stdin === null) return finish();
      // If the reader has already exited, its end reports it.
      child.stdin.once("error", finish);
      child.stdin.end(input, finish);
    });
  });
}
