import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Env } from "../../model/env.ts";
import { programs } from "../../os/index.ts";

export interface StartPlan {
  readonly command: readonly string[];
  readonly env: Env;
  readonly cwd?: string | undefined;
  /** Given to its standard input, which is empty otherwise. */
  readonly input?: string | undefined;
}

export interface StartedProcess {
  readonly pid: number;
  /** Resolves when it has ended; nobody needs to wait for it. */
  readonly ended: Promise<string>;
}

/** Starts a program of its own session that outlives this process and shares none of its files. Throws if it cannot. */
export function startDetached({ command, env, cwd, input }: StartPlan): Promise<StartedProcess> {
  const [program = "", ...args] = command;
  // Then the password is that of whoever started the daemon.
  const isServed = env.DESKMAP_CWD !== undefined;
  const child = spawn(program, args, {
    cwd: cwd ?? env.DESKMAP_CWD ?? process.cwd(),
    // The address of a shared map holds a password; where a client of the daemon was called concerns nobody else.
    env: { ...env, DESKMAP_MAP: undefined, DESKMAP_CWD: undefined, ...(isServed && { PGPASSWORD: undefined }) },
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
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
      // A reader that has ended already is seen by its end.
      child.stdin.once("error", finish);
      child.stdin.end(input, finish);
    });
  });
}

// Bun's name for the files inside a compiled executable; a child process cannot be started from there.
const COMPILED_PREFIX = "/$bunfs/";

/** How Deskmap runs another command of itself: from source, from a bundle, or from the executable. */
export function commandOfSelf(...words: readonly string[]): readonly string[] {
  const program = programs.own();
  if (new URL(import.meta.url).pathname.startsWith(COMPILED_PREFIX)) return [program, ...words];
  const main = fileURLToPath(new URL("../../cli/main.ts", import.meta.url));
  return [program, existsSync(main) ? main : Bun.main, ...words];
}
