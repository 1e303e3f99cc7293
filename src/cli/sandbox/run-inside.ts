import type { Sandbox } from "../../sandbox/index.ts";
import { type Format, printFailure } from "./answers.ts";

const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH"] as const;

/** `sandbox exec`: runs a command inside with the streams of this one. */
export async function runInside(name: string, [program = "", ...args]: string[], format: Format): Promise<void> {
  const { applyInside, chooseInside, findApp, findSandbox, toExitCode } = await import("../../sandbox/index.ts");
  const [{ spawn }, { isatty }] = await Promise.all([import("node:child_process"), import("node:tty")]);
  const found = await findSandbox(name);
  if (!found.ok) return printFailure(found.failure, format);
  const path = findApp(program, process.env, process.cwd());
  if (!path.ok) return printFailure(path.failure, format);
  const inside = chooseInside(found.value, [path.value, ...args], process.cwd());
  if (!inside.ok) return printFailure(inside.failure, format);
  const { command, cwd, hasCwd } = inside.value;
  if (!hasCwd) process.stderr.write(describeUnseenFolder());
  // Within a boundary it has a session of its own: it could write into the input of this terminal otherwise.
  const isBounded = found.value.boundary.kind === "bounded";
  // Before the command starts, so that no signal is lost.
  for (const signal of FORWARDED_SIGNALS) {
    // In a terminal, Ctrl-C and Ctrl-\ reach the command directly; passed on, they would arrive twice.
    const isFromTerminal = !isBounded && isatty(0) && (signal === "SIGINT" || signal === "SIGQUIT");
    process.on(signal, () => isFromTerminal || child.kill(signal));
  }
  const env = applyInside(found.value, process.env);
  const child = spawn(command[0], command.slice(1), { stdio: "inherit", env, cwd, detached: isBounded });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => {
      process.exitCode = toExitCode({ exitCode, signal });
      resolve();
    });
  });
}

/** Says so if a command cannot start in the working folder of this one. */
export async function noteFolder(boundary: Sandbox["boundary"]): Promise<void> {
  const { findShown } = await import("../../sandbox/index.ts");
  if (boundary.kind === "bounded" && findShown(boundary, process.cwd()) === undefined)
    process.stderr.write(describeUnseenFolder());
}

function describeUnseenFolder(): string {
  return `deskmap: ${process.cwd()} is not visible inside, so the command starts in its home there; --bind shows a folder\n`;
}
