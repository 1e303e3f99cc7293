import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LogFolder } from "./audit-folder.ts";

const holder = fileURLToPath(import.meta.resolve("./hold-turn.ts"));

export interface HolderProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Another process that has the turn. */
export async function startHolder(folder: LogFolder, ...args: string[]): Promise<HolderProcess> {
  const env = { ...process.env, ...folder.env };
  const child = spawn(process.execPath, [holder, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit").then(([code, signal]) => code ?? signal);
  const [said] = await once(child.stdout, "data");
  if (String(said).trim() !== "taken") throw new Error(`the holder said ${said}`);
  return { child, pid: child.pid ?? 0, ended };
}
