import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Env } from "../../src/model/env.ts";
import { waitFor as until } from "../wait.ts";

export { until };

const terminal = join(import.meta.dir, "../fixtures/terminal.py");
export const launcher = join(import.meta.dir, "../../deskmap");

/** A command at its own terminal, and the person who sits there. */
export interface TerminalSession {
  /** Everything that the terminal has shown. */
  shown(): string;
  /** Waits until the terminal shows the text, after the last text waited for. */
  see(text: string | RegExp): Promise<string>;
  type(text: string): void;
  /** The process id of the command itself. */
  pid(): Promise<number>;
  readonly ended: Promise<number>;
  /** Ends the command if it is still running. */
  leave(): Promise<void>;
}

export function startAtTerminal(command: readonly string[], env: Env): TerminalSession {
  const child = spawn("/usr/bin/python3", [terminal, ...command], { env: { ...env }, stdio: "pipe" });
  let text = "";
  let read = 0;
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    errors += part;
  });
  // Input after the command has ended is lost.
  child.stdin.on("error", () => undefined);
  let isEnded = false;
  const ended = new Promise<number>((resolve) => {
    child.once("close", (code) => {
      isEnded = true;
      resolve(code ?? -1);
    });
  });
  const pid = async (): Promise<number> => {
    await until("its process id", () => errors.includes("\n"));
    return Number(errors.split("\n")[0]);
  };
  return {
    shown: () => text,
    see: async (wanted) => {
      const find = (): number =>
        typeof wanted === "string" ? text.indexOf(wanted, read) : read + text.slice(read).search(wanted);
      await until(`${wanted} in: ${JSON.stringify(text)} ${errors}`, () => find() >= read);
      const from = read;
      read = find() + (typeof wanted === "string" ? wanted.length : 1);
      return text.slice(from);
    },
    type: (typed) => child.stdin.write(typed),
    pid,
    ended,
    leave: async () => {
      const id = await pid();
      try {
        if (!isEnded) process.kill(id, "SIGTERM");
      } catch {
        // It has just ended.
      }
      await ended;
    },
  };
}
