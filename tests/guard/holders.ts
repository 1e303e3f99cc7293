import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type LogFolder, makeLogFolder } from "./audit-folder.ts";

const holder = fileURLToPath(import.meta.resolve("./hold-turn.ts"));

interface HolderProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Another process that holds the turn. */
async function startHolder(folder: LogFolder, ...args: string[]): Promise<HolderProcess> {
  const env = { ...process.env, ...folder.env };
  const child = spawn(process.execPath, [holder, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit").then(([code, signal]) => code ?? signal);
  const [said] = await once(child.stdout, "data");
  if (String(said).trim() !== "taken") throw new Error(`the holder said ${said}`);
  return { child, pid: child.pid ?? 0, ended };
}

/** The folders and processes of one test, all removed at its end. */
export function makeHolders() {
  const folders: LogFolder[] = [];
  const holders: HolderProcess[] = [];
  return {
    open(): LogFolder {
      const folder = makeLogFolder();
      folders.push(folder);
      return folder;
    },
    async hold(folder: LogFolder, ...args: string[]): Promise<HolderProcess> {
      const started = await startHolder(folder, ...args);
      holders.push(started);
      return started;
    },
    async clearAway(): Promise<void> {
      for (const { child, ended } of holders.splice(0)) {
        child.kill("SIGKILL");
        await ended;
      }
      for (const folder of folders.splice(0)) folder.remove();
    },
  };
}
