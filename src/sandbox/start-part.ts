import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recordStarted } from "./adopted.ts";
import { findExecutable } from "./programs.ts";
import { makeLineSplitter } from "./protocol.ts";

const LOG_TAIL_LINES = 6;
const INHERITED_STDIO = [3, 4, 5];

export type StartedPart = { child: ChildProcess; pid: number; logPath: string };

export type PartPlan = {
  part: string;
  command: readonly [string, ...string[]];
  env: Record<string, string>;
  logDirectory: string;
  /** The kernel sends this when the supervisor is killed. */
  signalWithSupervisor: "KILL" | "TERM";
  cwd: string;
  /** Where stdout goes: to this process, to the log like stderr, or with stdin and stderr to descriptors 3, 4 and 5. */
  output: "read" | "log" | "inherited";
};

/** Starts one part as a direct child that the kernel ends together with the supervisor. */
export function startPart(plan: PartPlan): Promise<StartedPart> {
  const setpriv = findExecutable("setpriv", process.env, "/", ["/usr/bin"]);
  const guard = setpriv === null ? [] : [setpriv, "--pdeathsig", plan.signalWithSupervisor, "--"];
  const [program, ...args] = [...guard, ...plan.command];
  const logPath = join(plan.logDirectory, `${plan.part}.log`);
  const log = openSync(logPath, "a", 0o600);
  const child = spawn(program ?? plan.command[0], args, {
    env: plan.env,
    cwd: plan.cwd,
    stdio: plan.output === "inherited" ? INHERITED_STDIO : ["ignore", plan.output === "read" ? "pipe" : log, log],
  });
  recordStarted(child.pid);
  closeSync(log);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      child.on("error", () => {});
      if (child.pid === undefined) reject(new Error(`${plan.part} has no process id`));
      else resolve({ child, pid: child.pid, logPath });
    });
  });
}

/** The first line a part prints: how X servers and D-Bus daemons report that they are ready. */
export function readFirstLine(part: StartedPart, signal: AbortSignal): Promise<string> {
  const { child } = part;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    child.once("exit", (code, endSignal) => reject(new Error(`it ended with ${endSignal ?? `exit code ${code}`}`)));
    child.stdout?.on("data", makeLineSplitter(resolve));
  });
}

export function readLogTail(logPath: string): string {
  try {
    return readFileSync(logPath, "utf8").trim().split("\n").slice(-LOG_TAIL_LINES).join("\n");
  } catch {
    return "";
  }
}
